import { challengeOf } from '@platform/client/pkce';
import type { AuditEntryResponse, AuditPageResponse } from '@platform/contracts';
import { HeldLock, until, type TestClient } from '@platform/testing';
import { GatewayTest, PASSWORD, type TestUser } from '../../testing/gateway-test.js';
import { createTenant } from '../../testing/tenants.js';
import { MAX_FURTHER_FAILURES, MAX_ENTRIES_PER_ACCOUNT, SignInAuditWorker } from './sign-in-audit.worker.js';

let gateway: GatewayTest;
beforeAll(async () => (gateway = await GatewayTest.start()));
beforeEach(() => gateway.resetRateLimits());
afterAll(() => gateway.stop());

const attempt = (email: string, password: string, tenant_id = 'default', client = gateway.client()) =>
  client.post('/v1/auth/login', { email, password, tenant_id });

/** A new tenant with an administrator; their own sign-ins are already written. */
async function newTenant(): Promise<{ id: string; admin: TestClient; user: TestUser }> {
  const { tenant_id: id } = await createTenant(gateway.backend());
  const admin = await gateway.signIn(await gateway.user({ tenant_id: id, role: 'admin' }));
  await allWritten(id);
  return { id, admin, user: await gateway.user({ tenant_id: id }) };
}

const waiting = async (tenantId: string) =>
  (await gateway.service.query('SELECT FROM sign_in_records WHERE tenant_id = $1', [tenantId])).length;
/** Runs the job until no sign-in record is left. */
const allWritten = (tenantId: string) =>
  until(async () => {
    await gateway.service.app.get(SignInAuditWorker).writeSignIns();
    return (await waiting(tenantId)) === 0;
  });
const entries = async (client: TestClient, query: string): Promise<AuditEntryResponse[]> =>
  (await client.get<AuditPageResponse>(`/v1/audit?per_page=200&${query}`)).body.items;
const total = async (client: TestClient, query: string): Promise<number> =>
  (await client.get<AuditPageResponse>(`/v1/audit?${query}`)).body.total;

/** Inserts sign-in records without checking passwords. */
const cause = (tenantId: string, outcome: string, userIds: (string | null)[], address: string | null = null) =>
  gateway.service.query(
    `INSERT INTO sign_in_records (tenant_id, user_id, outcome, how, session_id, ip_address)
     SELECT $1, user_id, $2, 'made', 'ses_' || place, coalesce($4, '192.0.2.' || place % 250)
     FROM unnest($3::text[]) WITH ORDINALITY AS one (user_id, place)`,
    [tenantId, outcome, userIds, address],
  );
const users = (count: number) => Array.from({ length: count }, (_value, at) => `usr_${at}`);

describe('a sign-in', () => {
  it('is in the audit log of its tenant, with who, from where and by what, by every filter', async () => {
    const { id, admin, user } = await newTenant();
    const client = gateway.client().withHeaders({ 'User-Agent': 'Mozilla/5.0 (test)' });
    expect((await attempt(user.email, PASSWORD, id, client)).status).toBe(200);
    await allWritten(id);
    const [entry, ...more] = await entries(admin, `target_id=${user.id}`);
    expect(more).toEqual([]);
    expect(entry).toMatchObject({
      action: 'user.signed_in',
      tenant_id: id,
      actor_type: 'user',
      actor_id: user.id,
      target_type: 'user',
      ip_address: client.address,
      user_agent: 'Mozilla/5.0 (test)',
      request_id: expect.any(String),
      metadata: {
        method: 'password',
        surface: 'web',
        session_id: expect.stringMatching(/^ses_/),
        at: expect.any(String),
      },
    });
    for (const query of ['action=user.sign*', 'action=user.signed_in', 'source=user', 'target_type=user'])
      expect(await entries(admin, `actor_id=${user.id}&${query}`)).toEqual([entry]);
    const [before, after] = [entry, entry].map((one, at) =>
      new Date(new Date(one?.created_at ?? 0).getTime() + at).toISOString(),
    );
    expect(await entries(admin, `target_id=${user.id}&from=${before}&to=${after}`)).toEqual([entry]);
    expect(await entries(admin, `target_id=${user.id}&to=${before}`)).toEqual([]);
    expect(JSON.stringify(entry)).not.toContain(user.email);
  });

  it('is not seen by another tenant', async () => {
    const [own, other] = [await newTenant(), await newTenant()];
    await attempt(own.user.email, PASSWORD, own.id);
    await attempt(own.user.email, 'not the password', own.id);
    await allWritten(own.id);
    expect(await total(own.admin, `target_id=${own.user.id}`)).toBe(2);
    expect(await total(other.admin, `target_id=${own.user.id}`)).toBe(0);
    expect(await total(other.admin, 'action=user.sign*')).toBe(1); // the sign-in of the administrator
  });

  it('ends with a sign-out, which is there, too', async () => {
    const { id, admin, user } = await newTenant();
    const { refresh_token } = await gateway.login(user);
    await gateway.client().post('/v1/auth/logout', { refresh_token });
    await allWritten(id);
    const told = await entries(admin, `actor_id=${user.id}`);
    expect(told.map(({ action }) => action).sort()).toEqual(['session.logout', 'user.signed_in']);
    expect(told.find(({ action }) => action === 'session.logout')?.target_id).toBe(
      told.find(({ action }) => action === 'user.signed_in')?.metadata['session_id'],
    );
  });

  it('at a terminal says so, and a session that a client keeps by other means is none', async () => {
    const { id, admin, user } = await newTenant();
    const verifier = 'v'.repeat(43);
    const challenge = { code_challenge: challengeOf(verifier) };
    const { body } = await gateway.actingFor(user.id).post<{ code: string }>('/v1/auth/cli/codes', challenge);
    const exchanged = await gateway.client().post('/v1/auth/cli/token', { code: body.code, code_verifier: verifier });
    expect(exchanged.status).toBe(200);
    await gateway.backend().post('/v1/auth/sessions/register', { user_id: user.id, surface: 'web' });
    await allWritten(id);
    expect((await entries(admin, `target_id=${user.id}`)).map(({ metadata }) => metadata['method'])).toEqual([
      'terminal_code',
    ]);
  });

  it('does not wait for the chain of its tenant, nor do others wait for it', async () => {
    const { id, admin, user } = await newTenant();
    const held = await HeldLock.acquire(
      gateway.service,
      'SELECT FROM gateway_audit.audit_heads WHERE tenant_id = $1 FOR UPDATE',
      [id],
    );
    try {
      const answers = await Promise.all([
        attempt(user.email, PASSWORD, id),
        attempt(user.email, 'not the password', id),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 401]);
    } finally {
      await held.release();
    }
    await allWritten(id);
    expect(await total(admin, `target_id=${user.id}`)).toBe(2);
  });

  it('is told once when several processes take it in at once', async () => {
    const { id, admin } = await newTenant();
    const other = await gateway.startSecondProcess();
    try {
      await cause(id, 'signed_in', users(450));
      const writers = [gateway.service, other, gateway.service, other].map((service) =>
        service.app.get(SignInAuditWorker).writeSignIns(),
      );
      await Promise.all(writers);
      await allWritten(id);
    } finally {
      await other.stop();
    }
    expect(await total(admin, 'action=user.signed_in')).toBe(451);
    const told = await gateway.service.query<{ sessions: number }>(
      "SELECT count(DISTINCT metadata ->> 'session_id')::int AS sessions FROM gateway_audit.audit_entries WHERE tenant_id = $1 AND action = 'user.signed_in'",
      [id],
    );
    expect(told).toEqual([{ sessions: 451 }]);
  });
});

describe('a failed sign-in', () => {
  it('says whose account, from where, why, how often, and for how long no other is taken', async () => {
    const { id, admin, user } = await newTenant();
    const client = gateway.client();
    for (let at = 0; at < 5; at++)
      expect((await attempt(user.email, `not the password ${at}`, id, client)).status).toBe(401);
    await gateway.extendLoginBlocks();
    expect((await attempt(user.email, 'not the password', id, client)).status).toBe(429);
    await allWritten(id);
    const told = await entries(admin, `target_id=${user.id}&action=user.sign_in_failed`);
    expect(told.reduce((sum, { metadata }) => sum + Number(metadata['times']), 0)).toBe(5);
    expect(told[0]).toMatchObject({
      actor_type: 'system',
      actor_id: 'platform',
      ip_address: client.address,
      metadata: { reason: 'wrong_password', failures: 5, blocked_seconds: 2, since: expect.any(String) },
    });
    expect(JSON.stringify(told)).not.toMatch(/not the password|@example/);
  });

  it('of who knows the password says what was in the way', async () => {
    const { id, admin, user } = await newTenant();
    await gateway.service.query('UPDATE users SET is_active = false WHERE id = $1', [user.id]);
    expect(await attempt(user.email, PASSWORD, id)).toMatchObject({ status: 403, body: { code: 'account_disabled' } });
    await allWritten(id);
    expect(await entries(admin, `target_id=${user.id}`)).toMatchObject([
      { action: 'user.sign_in_failed', metadata: { reason: 'account_disabled', times: 1, failures: null } },
    ]);
  });

  it('of an account that there is not is a number, without the address', async () => {
    const { id, admin } = await newTenant();
    const email = gateway.newEmail();
    const client = gateway.client();
    await attempt(email, PASSWORD, id, client);
    await attempt(email, PASSWORD, id, client);
    await allWritten(id);
    await until(async () => (await total(admin, 'action=tenant.sign_ins_failed')) === 1);
    const told = await entries(admin, `target_id=${id}&action=tenant.*`);
    const [tally] = told.filter(({ action }) => action === 'tenant.sign_ins_failed');
    expect(tally?.metadata).toMatchObject({
      reason: 'unknown_account',
      times: expect.any(Number),
      since: expect.any(String),
    });
    expect(JSON.stringify(told)).not.toContain(email.split('@')[0]);
    expect(JSON.stringify(await gateway.service.query('SELECT * FROM sign_in_records'))).not.toContain(
      email.split('@')[0],
    );
  });

  it('in a tenant that there is not is a number in the log of the platform, and no other', async () => {
    const client = gateway.client();
    const admin = await gateway.signIn(await gateway.user({ role: 'admin' }));
    const attempts = [gateway.newEmail(), gateway.newEmail()].map((email) =>
      attempt(email, PASSWORD, 'nowhere-at-all', client),
    );
    for (const { status } of await Promise.all(attempts)) expect(status).toBe(401);
    await allWritten('default');
    const told = () => entries(admin, 'action=tenant.sign_ins_failed');
    const tally = await until(async () =>
      (await told()).find(({ metadata }) => metadata['reason'] === 'unknown_tenant'),
    );
    expect(tally).toMatchObject({ tenant_id: 'default', target_id: 'default', metadata: { accounts: [] } });
    expect(tally.metadata['addresses']).toContainEqual({ ip_address: client.address, times: expect.any(Number) });
    expect(JSON.stringify(tally)).not.toMatch(/nowhere|@/);
  });
});

describe('a flood', () => {
  it('of failures makes only so many entries in an hour beside the first of each account, and then a number every ten minutes', async () => {
    const { id, admin, user } = await newTenant();
    const again = (count: number, of: number) => Array.from({ length: count }, (_value, at) => `usr_${at % of}`);
    await cause(id, 'failed', again(MAX_FURTHER_FAILURES + 300, 20));
    await allWritten(id);
    const failures = () => total(admin, 'action=user.sign_in_failed');
    const tallies = () => entries(admin, 'action=tenant.sign_ins_failed');
    expect(await failures()).toBe(20 + MAX_FURTHER_FAILURES);
    const first = await tallies();
    expect(first).toMatchObject([{ target_id: id, metadata: { reason: 'more_failures' } }]);
    await cause(id, 'failed', users(100));
    const unknown = Array.from({ length: 1_000 }, () => null);
    await cause(id, 'failed', unknown);
    await cause(id, 'failed', unknown);
    await allWritten(id);
    // The 80 accounts without an entry get one; all other failures are only counted.
    expect(await failures()).toBe(100 + MAX_FURTHER_FAILURES);
    expect((await tallies()).map(({ metadata }) => metadata['reason']).sort()).toEqual([
      'more_failures',
      'unknown_account',
    ]);
    // A successful sign-in is listed in any case.
    await gateway.login(user);
    await allWritten(id);
    expect(await total(admin, `target_id=${user.id}`)).toBe(1);

    await gateway.service.query(
      "UPDATE sign_in_tallies SET written_at = written_at - interval '11 minutes' WHERE tenant_id = $1",
      [id],
    );
    await gateway.service.app.get(SignInAuditWorker).writeSignIns();
    await until(async () => (await tallies()).length === 4);
    const told = await tallies();
    const counted = (reason: string) =>
      told
        .filter((one) => one.metadata['reason'] === reason)
        .reduce((sum, { metadata }) => sum + Number(metadata['times']), 0);
    expect(counted('more_failures')).toBe(300);
    expect(counted('unknown_account')).toBe(2_000);
  });

  it('of failures hides nobody: the first of each account in an hour is told, whatever came before', async () => {
    const { id, admin, user } = await newTenant();
    const accounts = MAX_FURTHER_FAILURES + 150;
    await cause(id, 'failed', [
      ...users(accounts),
      ...Array<string>(500).fill('usr_0'),
      ...Array<string>(500).fill('usr_1'),
    ]);
    await attempt(user.email, 'not the password', id);
    await allWritten(id);
    expect(await entries(admin, `target_id=${user.id}`)).toMatchObject([
      { action: 'user.sign_in_failed', metadata: { reason: 'wrong_password', times: 1 } },
    ]);
    const told = await gateway.service.query<{ accounts: number }>(
      "SELECT count(DISTINCT target_id)::integer AS accounts FROM gateway_audit.audit_entries WHERE tenant_id = $1 AND action = 'user.sign_in_failed'",
      [id],
    );
    expect(told).toEqual([{ accounts: accounts + 1 }]);
  });

  it('is told with the accounts and addresses that have most of it, up to five of each', async () => {
    const { id, admin } = await newTenant();
    await cause(id, 'failed', [null, null], '198.51.100.7');
    await allWritten(id); // written at once; later failures are written ten minutes later
    await cause(id, 'failed', Array<null>(50).fill(null), '198.51.100.7');
    await cause(id, 'failed', Array<null>(200).fill(null));
    await cause(id, 'failed', Array<null>(30).fill(null), '198.51.100.8');
    await cause(id, 'failed', Array<string>(MAX_ENTRIES_PER_ACCOUNT).fill('usr_busy')); // written at once
    await allWritten(id);
    await cause(id, 'failed', ['usr_busy', 'usr_busy', 'usr_other']);
    await allWritten(id);
    const tallies = () => entries(admin, 'action=tenant.sign_ins_failed');
    const ofAccounts = (await tallies()).find(({ metadata }) => metadata['reason'] === 'more_failures');
    expect(ofAccounts?.metadata).toMatchObject({ times: 2, accounts: [{ user_id: 'usr_busy', times: 2 }] });
    await gateway.service.query(
      "UPDATE sign_in_tallies SET written_at = written_at - interval '11 minutes' WHERE tenant_id = $1",
      [id],
    );
    await gateway.service.app.get(SignInAuditWorker).writeSignIns();
    const told = await until(async () => (await tallies()).find(({ metadata }) => metadata['times'] === 280));
    expect(told.metadata).toMatchObject({ reason: 'unknown_account', accounts: [] });
    const addresses = told.metadata['addresses'] as object[];
    expect(addresses).toHaveLength(5);
    expect(addresses.slice(0, 2)).toEqual([
      { ip_address: '198.51.100.7', times: 50 },
      { ip_address: '198.51.100.8', times: 30 },
    ]);
    const kept = await gateway.service.query(
      'SELECT FROM sign_in_tallies WHERE tenant_id = $1 AND (times, addresses) <> (0, $2)',
      [id, '{}'],
    );
    expect(kept).toEqual([]);
  });

  it('of sign-ins by one user takes no entries of the others', async () => {
    const { id, admin, user } = await newTenant();
    await cause(id, 'signed_in', Array<string>(MAX_ENTRIES_PER_ACCOUNT + 100).fill('usr_busy'));
    await gateway.login(user);
    await allWritten(id);
    expect(await total(admin, 'target_id=usr_busy')).toBe(MAX_ENTRIES_PER_ACCOUNT);
    expect(await entries(admin, 'action=tenant.users_signed_in')).toMatchObject([
      { metadata: { reason: 'more_sign_ins', times: 100 } },
    ]);
    expect(await total(admin, `target_id=${user.id}`)).toBe(1);
  });

  it('of one tenant does not hold up what is told of another', async () => {
    const [noisy, quiet] = [await newTenant(), await newTenant()];
    await cause(
      noisy.id,
      'failed',
      Array.from({ length: 3_000 }, () => null),
    );
    await gateway.login(quiet.user);
    await gateway.service.app.get(SignInAuditWorker).writeSignIns();
    await until(async () => (await waiting(quiet.id)) === 0);
    expect(await total(quiet.admin, `target_id=${quiet.user.id}`)).toBe(1);
    await allWritten(noisy.id);
  });
});
