import argon2 from '@node-rs/argon2';
import { newId } from '@platform/platform';
import { GatewayTest, PASSWORD, type TestUser } from '../testing/gateway-test.js';
import { Statements } from '../testing/statements.js';
import { storedRows } from '../testing/stored-rows.js';

let gateway: GatewayTest;
let statements: Statements;
beforeAll(async () => {
  gateway = await GatewayTest.start();
  statements = new Statements();
  await gateway.service.query("INSERT INTO tenants (id, name, is_active) VALUES ('closed', 'Closed', false)");
  await gateway.service.query(
    "INSERT INTO roles (id, tenant_id, name, display_name) VALUES ('rol_x', 'closed', 'user', 'User')",
  );
});
afterAll(() => {
  statements.stop();
  return gateway.stop();
});

const OF_THE_MOMENT = ['date', 'etag', 'x-request-id', 'content-length', 'retry-after'];

/**
 * Everything by which a caller can tell two answers apart: status, body, hashes and SQL statements.
 * Time is not measured, because a busy machine would make the test fail: equal hashes and
 * statements in equal order take the same time.
 */
async function observe(path: string, request: object) {
  const requestId = newId('req');
  const [verify, hash] = [jest.spyOn(argon2, 'verify'), jest.spyOn(argon2, 'hash')];
  const answer = await gateway
    .client()
    .withHeaders({ 'X-Request-Id': requestId })
    .post<Record<string, unknown>>(path, request);
  const verified = verify.mock.calls.map(([encoded]) => /^\$argon2id\$v=\d+\$[mtp=\d,]+\$/.exec(String(encoded))?.[0]);
  const hashed = hash.mock.calls.length;
  jest.restoreAllMocks();
  const sent = statements.ofRequest(requestId);
  return {
    status: answer.status,
    headers: Object.fromEntries([...answer.headers].filter(([name]) => !OF_THE_MOMENT.includes(name))),
    body: answer.body,
    // Jobs are handed over after the commit, and the answer does not wait for that.
    work: { verified, hashed, statements: sent.includes('COMMIT') ? sent.slice(0, sent.lastIndexOf('COMMIT')) : sent },
  };
}

const nobody = (): TestUser => ({ id: '', email: gateway.newEmail() });
const mailsTo = ({ email }: TestUser) => gateway.smtp.mails.filter(({ to }) => to === email);

/** With Redis, limits are counted there instead. */
const withoutLimits = (statements: string[]) => statements.filter((statement) => !statement.includes('rate_limits'));

describe('a wrong password', () => {
  const failures = () => gateway.service.query('SELECT failures, blocked_until FROM login_throttles');
  const attempt = ({ email }: TestUser, tenant_id = 'default') =>
    observe('/v1/auth/login', { email, tenant_id, password: 'not the password' });

  it.each<[string, Record<string, unknown>]>([
    ['is active', {}],
    ['is disabled', { is_active: false }],
    ['has no password', { password_hash: null }],
    ['is of a closed tenant', { tenant_id: 'closed' }],
  ])('gets the answer of an unknown address, for the same work, from a user who %s', async (_state, changes) => {
    const user = await gateway.user(changes);
    const tenant = changes['tenant_id'] as string | undefined;
    await gateway.service.query('DELETE FROM login_throttles');
    const known = await attempt(user, tenant);
    expect(known).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer realm="gateway"' } });
    const text = { detail: 'Invalid e-mail or password', code: 'invalid_credentials', request_id: expect.any(String) };
    expect(known.body).toEqual(text);
    expect(known.work).toMatchObject({ verified: ['$argon2id$v=19$m=19456,t=2,p=1$'], hashed: 0 });
    expect(withoutLimits(known.work.statements)).toHaveLength(2); // the account, the failure
    const unknown = await attempt(nobody(), tenant);
    expect({ ...known, body: text }).toEqual({ ...unknown, body: text });
    expect(await failures()).toEqual([
      { failures: 1, blocked_until: null },
      { failures: 1, blocked_until: null },
    ]);
    expect(await gateway.service.query('SELECT 1 FROM sessions WHERE user_id = $1', [user.id])).toEqual([]);
  });

  it('gets the answer of an unknown address, for the same work, where a signup with the address waits', async () => {
    const { email } = await gateway.signUp();
    const [waiting, unknown] = [await attempt({ id: '', email }), await attempt(nobody())];
    expect(waiting).toMatchObject({ status: 401, work: { verified: ['$argon2id$v=19$m=19456,t=2,p=1$'] } });
    for (const answer of [waiting, unknown]) Object.assign(answer.body, { request_id: '' });
    expect(waiting).toEqual(unknown);
  });

  it('blocks an unknown address as it blocks a known one', async () => {
    const [user, stranger] = [await gateway.user(), nobody()];
    await gateway.service.query('DELETE FROM login_throttles');
    for (let at = 0; at < 5; at++) for (const who of [user, stranger]) expect((await attempt(who)).status).toBe(401);
    await gateway.extendLoginBlocks();
    const [known, unknown] = [await attempt(user), await attempt(stranger)];
    expect(known).toMatchObject({ status: 429, body: { code: 'rate_limited' }, work: { verified: [] } });
    expect({ ...known, body: {} }).toEqual({ ...unknown, body: {} });
    expect((await failures()).map(({ failures }) => failures)).toEqual([5, 5]);
  });
});

/** A signup after the arrival of its mail, so that the next request sends another one. */
async function waitingSignup() {
  const signup = await gateway.signUp();
  await gateway.mailToken(signup.email);
  await gateway.resetRateLimits();
  gateway.smtp.mails.splice(0);
  return signup;
}

describe('asking twice within a second for a mail', () => {
  it.each<[string, string, () => Promise<TestUser>]>([
    ['a new password', '/v1/auth/forgot-password', () => gateway.user()],
    ['a new link', '/v1/auth/resend-verification', waitingSignup],
  ])('with %s gets the same answers for the same work, and one mail', async (_what, path, make) => {
    const [user, stranger] = [await make(), nobody()];
    for (let at = 0; at < 2; at++) {
      const [known, unknown] = [
        await observe(path, { email: user.email }),
        await observe(path, { email: stranger.email }),
      ];
      expect(known).toMatchObject({ status: 200, body: { message: expect.any(String) } });
      expect(known).toEqual(unknown);
      expect(withoutLimits(known.work.statements).length).toBeGreaterThan(2);
    }
    await gateway.waitForMails();
    expect(mailsTo(user)).toHaveLength(1);
    expect(mailsTo(stranger)).toEqual([]);
  });

  it.each<[string, string, Record<string, unknown>]>([
    ['a disabled user', '/v1/auth/forgot-password', { is_active: false }],
    ['a confirmed user', '/v1/auth/resend-verification', {}],
  ])('shows nothing of %s either', async (_who, path, changes) => {
    const user = await gateway.user(changes);
    expect(await observe(path, { email: user.email })).toEqual(await observe(path, { email: nobody().email }));
    await gateway.waitForMails();
    expect(mailsTo(user)).toEqual([]);
  });
});

describe('signing up with a taken address', () => {
  it('gets the answer of a free one for as much work, a made-up id, and changes nothing', async () => {
    const owner = await gateway.user();
    const before = (await storedRows(gateway.service, ['gateway']))['gateway.users'];
    const taken = await observe('/v1/auth/signup', { email: owner.email, password: PASSWORD });
    expect((await storedRows(gateway.service, ['gateway']))['gateway.users']).toEqual(before);
    const free = await observe('/v1/auth/signup', { email: gateway.newEmail(), password: PASSWORD });
    expect(taken.status).toBe(201);
    const shown = {
      message: free.body['message'],
      user_id: expect.stringMatching(/^usr_\w{26}$/),
      status_token: expect.any(String),
    };
    for (const { body } of [taken, free]) expect(body).toEqual(shown);
    expect(
      await gateway.service.query('SELECT 1 FROM pending_credentials WHERE id = $1', [taken.body['user_id']]),
    ).toEqual([]);
    expect(await gateway.service.query('SELECT 1 FROM users WHERE id = $1', [taken.body['user_id']])).toEqual([]);
    expect(taken.headers).toEqual(free.headers);
    expect(taken.work).toMatchObject({ verified: [], hashed: 1 });
    expect(taken.work.hashed).toBe(free.work.hashed);
    expect(taken.work.statements).toHaveLength(free.work.statements.length);
    expect((await gateway.smtp.waitForMail(owner.email)).subject).toBe('You already have an account');
  });
});

describe('a tenant that there is not', () => {
  const known = async () => {
    const id = `known-${newId('t').slice(2)}`;
    await gateway.service.query('INSERT INTO tenants (id, name) VALUES ($1, $1)', [id]);
    return id;
  };
  const unknown = () => `unknown-${newId('t').slice(2, 14)}`;

  it.each<[string, string, object]>([
    ['signing up', '/v1/auth/signup', { password: PASSWORD }],
    ['signing in', '/v1/auth/login', { password: PASSWORD }],
    ['asking for a new password', '/v1/auth/forgot-password', {}],
    ['asking for a new link', '/v1/auth/resend-verification', {}],
  ])('cannot be told from one that there is by %s, and gets no mail', async (_what, path, body) => {
    const email = gateway.newEmail();
    const there = await observe(path, { ...body, tenant_id: await known(), email: gateway.newEmail() });
    const [nowhere, pendingBefore] = [unknown(), await gateway.service.query('SELECT 1 FROM pending_credentials')];
    const notThere = await observe(path, { ...body, tenant_id: nowhere, email });
    const varying = { user_id: '', status_token: '', request_id: '' };
    for (const answer of [there, notThere]) Object.assign(answer.body, varying);
    expect(notThere.status).toBe(path.endsWith('login') ? 401 : path.endsWith('signup') ? 201 : 200);
    expect(notThere).toEqual(there);
    if (path.endsWith('signup')) {
      expect(await gateway.service.query('SELECT 1 FROM pending_credentials')).toHaveLength(pendingBefore.length);
    }
    await gateway.waitForMails();
    expect(mailsTo({ id: '', email })).toEqual([]);
    expect(
      await gateway.service.query('SELECT 1 FROM gateway_audit.audit_entries WHERE tenant_id = $1', [nowhere]),
    ).toEqual([]);
  });

  it('cannot be told by whether an address is available there', async () => {
    const ask = async (tenant: string) =>
      gateway.client().get(`/v1/auth/email-available?tenant_id=${tenant}&email=${gateway.newEmail()}`);
    const [there, notThere] = [await ask(await known()), await ask(unknown())];
    expect([notThere.status, notThere.body]).toEqual([there.status, there.body]);
  });

  const withoutSignups = async () => {
    const id = await known();
    await gateway.service.query("UPDATE tenants SET allowed_auth_methods = '{api_key}' WHERE id = $1", [id]);
    return id;
  };

  it('cannot be told from one that takes no signups, in the mailbox neither', async () => {
    const closed = await withoutSignups();
    const email = gateway.newEmail();
    const [there, notThere] = [
      await observe('/v1/auth/signup', { tenant_id: closed, email, password: PASSWORD }),
      await observe('/v1/auth/signup', { tenant_id: unknown(), email: gateway.newEmail(), password: PASSWORD }),
    ];
    for (const answer of [there, notThere]) Object.assign(answer.body, { user_id: '', status_token: '' });
    expect(notThere).toEqual(there);
    await gateway.waitForMails();
    expect(mailsTo({ id: '', email })).toEqual([]);
  });

  it('cannot be told by who signs up with their own mailbox everywhere: only where they have an account, five times a day', async () => {
    const own = gateway.newEmail();
    const tenants = await Promise.all(Array.from({ length: 7 }, () => withoutSignups()));
    for (const tenant_id of tenants) {
      await gateway.service.query(
        "INSERT INTO roles (id, tenant_id, name, display_name) VALUES ($1, $2, 'user', 'User')",
        [newId('rol'), tenant_id],
      );
      await gateway.user({ tenant_id, email: own });
    }
    for (const tenant_id of [...tenants, ...tenants]) {
      expect(
        (await gateway.client().post('/v1/auth/signup', { tenant_id, email: own, password: PASSWORD })).status,
      ).toBe(201);
    }
    await gateway.waitForMails();
    expect(mailsTo({ id: '', email: own })).toHaveLength(5);
  });
});
