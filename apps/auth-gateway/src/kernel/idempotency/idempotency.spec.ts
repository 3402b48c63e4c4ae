import { LedgerService, WalletErrors } from '@platform/billing';
import type { AdjustWalletResponse, LedgerEntry } from '@platform/contracts';
import { RetentionService } from '@platform/persistence';
import { newId, sha256 } from '@platform/platform';
import type { TestClient } from '@platform/testing';
import { GatewayTest } from '../../testing/gateway-test.js';
import { MAX_STORED_BYTES } from './idempotent-request.entity.js';
import { IdempotentRequestsService, type Attempt } from './idempotent-requests.service.js';

/** Tests a route that moves credits. */
let gateway: GatewayTest;
let admin: TestClient;
let userId: string;
beforeAll(async () => {
  gateway = await GatewayTest.start();
  admin = await gateway.signIn(await gateway.user({ role: 'admin' }));
});
beforeEach(async () => {
  userId = (await gateway.user()).id;
});
afterAll(() => gateway.stop());

const GIVE = { amount: 10, note: 'x' };
const send = (key: string, body: object = GIVE, { client = admin, to = userId } = {}) =>
  client.withHeaders({ 'Idempotency-Key': key }).post<AdjustWalletResponse>(`/v1/admin/wallets/${to}/adjust`, body);
const movements = async (of = userId): Promise<LedgerEntry[]> => {
  const { body } = await gateway.actingFor(of).get<LedgerEntry[]>('/v1/billing/wallet/history');
  return body;
};
const isReplayed = ({ headers }: { headers: Headers }): boolean => headers.get('Idempotency-Replayed') === 'true';
const change = (key: string, columns: string) =>
  gateway.service.query(`UPDATE idempotent_requests SET ${columns} WHERE key = $1`, [key]);

const IN_PROGRESS = { status: 409, body: { code: 'idempotency.in_progress' } };
const KEY_REUSED = { status: 422, body: { code: 'idempotency.key_reused' } };

describe('a request with a key', () => {
  it('does nothing a second time, and is answered as the first', async () => {
    const key = newId('k');
    const first = await send(key);
    expect(first).toMatchObject({ status: 200, body: { amount: 10, balance: 10 } });
    expect(isReplayed(first)).toBe(false);
    await send(newId('k')); // so that a repeated effect would show another balance
    const second = await send(key);
    expect(second).toMatchObject({ status: 200, body: first.body });
    expect(isReplayed(second)).toBe(true);
    expect(await movements()).toHaveLength(2);
  });

  it('does what it is to once, however many come at the same time', async () => {
    const key = newId('k');
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(key)));
    expect(answers.filter((answer) => answer.status === 200 && !isReplayed(answer))).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expect(answer).toMatchObject(IN_PROGRESS);
      expect(answer.headers.get('Retry-After')).toBe('1');
    }
    expect(await movements()).toHaveLength(1);
  });

  it('is the same in another order and spelling, and another with other content', async () => {
    const key = newId('k');
    await send(key);
    expect(isReplayed(await send(key, { note: 'x', amount: 10 }))).toBe(true);
    expect(isReplayed(await send(key, GIVE, { to: userId.replace('u', '%75') }))).toBe(true);
    for (const other of [
      { ...GIVE, amount: 11 },
      { ...GIVE, earns: false },
    ])
      expect(await send(key, other)).toMatchObject(KEY_REUSED);
    expect(await movements()).toHaveLength(1);
  });

  it('is another about another, and of another caller', async () => {
    const key = newId('k');
    const [other, colleague] = [await gateway.user(), await gateway.user({ role: 'admin' })];
    const senders = [admin, gateway.backend(), gateway.actingFor(colleague.id), await gateway.signIn(colleague)];
    for (const client of senders) {
      const answer = await send(key, GIVE, { client });
      expect([answer.status, isReplayed(answer)]).toEqual([200, false]);
    }
    expect(isReplayed(await send(key, GIVE, { to: other.id }))).toBe(false);
    expect(await movements()).toHaveLength(senders.length);
    expect(await movements(other.id)).toHaveLength(1);
  });

  it.each([
    ['an empty key', ''],
    ['one of 256 characters', 'k'.repeat(256)],
    ['what is not of ASCII', 'schlüssel'],
    ['what is not printable', 'a\tb'],
  ])('is refused with %s', async (_what, key) => {
    const detail = [{ loc: ['header', 'idempotency-key'], type: 'string_pattern_mismatch' }];
    expect(await send(key)).toMatchObject({ status: 422, body: { code: 'validation_failed', detail } });
    expect(await movements()).toEqual([]);
  });

  it('may have any printable key of up to 255 characters', async () => {
    const key = `"${newId('k')}" ~!`.padEnd(255, '.');
    await send(key);
    expect(isReplayed(await send(key))).toBe(true);
  });
});

describe('a refusal', () => {
  it('is kept', async () => {
    const key = newId('k');
    const take = { amount: -10, note: 'x' };
    const first = await send(key, take);
    expect(first).toMatchObject({ status: 409, body: { code: 'wallet.too_little', balance: 0 } });
    await send(newId('k'), { amount: 50, note: 'x' });
    const second = await send(key, take);
    expect(isReplayed(second)).toBe(true);
    const { request_id: id, ...body } = second.body as AdjustWalletResponse & { request_id: string };
    expect(second.status).toBe(409);
    expect(body).toMatchObject({ code: 'wallet.too_little', balance: 0 });
    expect(id).toBe(second.headers.get('X-Request-Id'));
  });

  it('of what does not validate is not', async () => {
    const key = newId('k');
    expect((await send(key, { amount: 0, note: 'x' })).status).toBe(422);
    expect(await send(key)).toMatchObject({ status: 200, body: { balance: 10 } });
  });

  it('of who may not is not', async () => {
    const key = newId('k');
    const { id: tenant_id } = (
      await gateway.backend().post<{ id: string }>('/v1/tenants', { tenant_id: newId('tenant'), name: 'x' })
    ).body;
    const client = await gateway.signIn(await gateway.user({ tenant_id, role: 'admin' }));
    for (let tries = 0; tries < 2; tries++) {
      const answer = await send(key, GIVE, { client });
      expect([answer.status, isReplayed(answer)]).toEqual([403, false]);
    }
    expect(await gateway.service.query('SELECT FROM idempotent_requests WHERE key = $1', [key])).toEqual([]);
  });
});

describe('a request whose answer is lost', () => {
  it('that failed is tried again', async () => {
    const key = newId('k');
    const ledger = gateway.service.app.get(LedgerService);
    jest.spyOn(ledger, 'credit').mockRejectedValueOnce(new Error('broken'));
    expect((await send(key)).status).toBe(500);
    jest.spyOn(ledger, 'credit').mockRejectedValueOnce(WalletErrors.locked(new Error('busy')));
    expect((await send(key)).status).toBe(503);
    expect(await send(key, { ...GIVE, amount: 11 })).toMatchObject(KEY_REUSED);
    expect(await send(key)).toMatchObject({ status: 200, body: { balance: 10 } });
    expect(isReplayed(await send(key))).toBe(true);
  });

  it('is taken over when the process that had it is gone, and moves nothing twice', async () => {
    const key = newId('k');
    const first = await send(key);
    // Simulates a process that died between the movement and the answer.
    await change(key, "status = NULL, body = NULL, leased_until = now() + interval '1 minute'");
    expect(await send(key)).toMatchObject(IN_PROGRESS);
    await change(key, 'leased_until = now()');
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(key)));
    const done = answers.filter(({ status }) => status === 200);
    expect(done.filter((answer) => !isReplayed(answer))).toHaveLength(1);
    expect(new Set(done.map(({ body }) => body.transaction_id))).toEqual(new Set([first.body.transaction_id]));
    expect(await movements()).toHaveLength(1);
    const audited = await gateway.service.query(
      "SELECT FROM gateway_audit.audit_entries WHERE action = 'wallet.adjusted' AND target_id = $1",
      [userId],
    );
    expect(audited).toHaveLength(1);
  });

  it('is answered by who has taken it over alone', async () => {
    const requests = gateway.service.app.get(IdempotentRequestsService);
    const key = newId('k');
    const content = { tenantId: 'default', userId, owner: userId, target: 'POST /x', key, sha256: sha256('x') };
    const late = (await requests.claimKey(content)) as Attempt;
    await expect(requests.claimKey(content)).rejects.toMatchObject({ code: 'idempotency.in_progress' });
    await change(key, 'leased_until = now()');
    const next = (await requests.claimKey(content)) as Attempt;
    expect(next).toMatchObject({ kind: 'attempt', id: late.id, isRetry: true });
    await requests.storeAnswer(late, 200, { by: 'late' });
    await requests.discardAttempt(late);
    await expect(requests.claimKey(content)).rejects.toMatchObject({ code: 'idempotency.in_progress' });
    await requests.storeAnswer(next, 201, { by: 'next' });
    expect(await requests.claimKey(content)).toEqual({ kind: 'answer', status: 201, body: { by: 'next' } });
  });

  it('keeps its id when it did nothing this time, since it may have before', async () => {
    const requests = gateway.service.app.get(IdempotentRequestsService);
    const content = {
      tenantId: 'default',
      userId: null,
      owner: userId,
      target: 'POST /x',
      key: newId('k'),
      sha256: sha256('x'),
    };
    const first = (await requests.claimKey(content)) as Attempt;
    await requests.abandonAttempt(first);
    await requests.discardAttempt((await requests.claimKey(content)) as Attempt);
    expect(await requests.claimKey(content)).toMatchObject({ kind: 'attempt', id: first.id });
  });
});

it('no answer of more than 64 KiB is kept', async () => {
  const requests = gateway.service.app.get(IdempotentRequestsService);
  const content = {
    tenantId: 'default',
    userId: null,
    owner: userId,
    target: 'POST /x',
    key: newId('k'),
    sha256: sha256('x'),
  };
  const attempt = (await requests.claimKey(content)) as Attempt;
  await expect(requests.storeAnswer(attempt, 200, 'x'.repeat(MAX_STORED_BYTES - 1))).rejects.toThrow(
    'must not accept an Idempotency-Key',
  );
  await requests.storeAnswer(attempt, 200, 'x'.repeat(MAX_STORED_BYTES - 2));
});

it('a day later the key is as good as new', async () => {
  const key = newId('k');
  await send(key);
  await change(key, "created_at = now() - interval '23 hours'");
  await gateway.service.app.get(RetentionService).deleteExpiredRows();
  expect(isReplayed(await send(key))).toBe(true);
  await change(key, "created_at = now() - interval '24 hours'");
  await gateway.service.app.get(RetentionService).deleteExpiredRows();
  expect(await send(key)).toMatchObject({ status: 200, body: { balance: 20 } });
  expect(await movements()).toHaveLength(2);
});
