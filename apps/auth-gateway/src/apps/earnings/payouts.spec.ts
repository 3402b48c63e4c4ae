import { CommissionsService } from '@platform/billing';
import type {
  DeveloperTier,
  EarningsResponse,
  KeyResponse,
  OpenPayoutResponse,
  PayoutResponse,
} from '@platform/contracts';
import { HeldLock, type TestClient } from '@platform/testing';
import { giveEarnings } from '../../testing/charges.js';
import { auditEntriesOf, newDeveloper, type TestDeveloper } from '../../testing/developers.js';
import { GatewayTest } from '../../testing/gateway-test.js';
import { expectNothingStored } from '../../testing/stored-rows.js';
import { createTenant } from '../../testing/tenants.js';

let gateway: GatewayTest;
let admin: TestClient;
beforeAll(async () => {
  gateway = await GatewayTest.start();
  admin = await gateway.signIn(await gateway.user({ role: 'admin' }));
});
afterAll(() => gateway.stop());

const PAYOUTS = '/v1/developer/payouts';
const ADMIN = '/v1/admin/payouts';
type Refusal = PayoutResponse & { code: string; status: string; available: number; detail: unknown };

const ask = (client: TestClient, request: object) => client.post<Refusal>(`${PAYOUTS}/request`, request);
const decide = (id: number, decision: string, body: object = {}, client = admin) =>
  client.post<Refusal>(`${ADMIN}/${id}/${decision}`, body);
const listOf = async ({ client }: TestDeveloper, query = '') =>
  (await client.get<PayoutResponse[]>(`${PAYOUTS}${query}`)).body;
const earningsOf = async ({ client }: TestDeveloper) =>
  (await client.get<EarningsResponse>('/v1/developer/earnings')).body;

/** Books as the task does, which then has nothing to book for a while. */
const bookAll = () => gateway.service.app.get(CommissionsService).bookDueShares();

/** A developer with these earnings. */
async function earner(amount: number, tier: DeveloperTier = 'indie'): Promise<TestDeveloper> {
  const developer = await newDeveloper(gateway, tier);
  if (amount) await giveEarnings(gateway, developer.user.id, amount);
  return developer;
}

async function pending(amount = 12_340): Promise<{ developer: TestDeveloper; id: number }> {
  const developer = await earner(amount);
  const { body } = await ask(developer.client, { amount_tokens: amount });
  return { developer, id: body.id };
}

describe('asking for a payout', () => {
  it('takes what is earned, though it is not booked yet, and keeps what it is worth', async () => {
    const developer = await earner(20_000);
    const { status, body } = await ask(developer.client, { amount_tokens: 12_340 });
    const expected = {
      id: expect.any(Number),
      developer_id: developer.user.id,
      ...{ amount_tokens: 12_340, amount_usd: '12.34', status: 'pending', method: 'manual' },
      ...{ notes: null, admin_note: null, reference: null, requested_at: expect.any(String), processed_at: null },
    };
    expect({ status, body }).toEqual({ status: 201, body: expected });
    expect(await listOf(developer)).toEqual([body]);
    // The payout is neither paid nor approved.
    expect(await earningsOf(developer)).toMatchObject({
      total_earnings: 20_000,
      pending_payout: 20_000,
      paid_out: 0,
      available: 7_660,
    });
    expect(await auditEntriesOf(gateway, String(body.id))).toMatchObject([
      {
        action: 'payout.requested',
        tenant_id: 'default',
        on_behalf_of: developer.user.id,
        after_state: { amount_tokens: 12_340, amount_usd: '12.34' },
      },
    ]);
    const [entry] = await gateway.service.query(
      'SELECT amount, kind, counter FROM ledger_entries WHERE idem_key = $1',
      [`payout:${body.id}`],
    );
    expect(entry).toEqual({ amount: '-12340', kind: 'payout', counter: 'payout' });
  });

  it('works by either address, with either name of the amount, and with notes', async () => {
    const developer = await earner(40_000);
    const client = await gateway.signIn(developer.user);
    const asked: [string, object, object][] = [
      [PAYOUTS, { amount: 10_000 }, { method: 'manual' }],
      [PAYOUTS, { amount: 10_000, amount_tokens: 10_000, notes: 'Ada L.\nVienna' }, { notes: 'Ada L.\nVienna' }],
      [
        `${PAYOUTS}/request`,
        { amount: 10_000, amount_tokens: null, payout_method: 'manual', notes: null },
        { method: 'manual' },
      ],
    ];
    for (const [path, request, expected] of asked) {
      expect(await client.post(path, request)).toMatchObject({
        status: 201,
        body: { amount_tokens: 10_000, amount_usd: '10.00', ...expected },
      });
    }
    expect((await listOf(developer)).map(({ id }) => id)).toEqual(
      (await listOf(developer)).map(({ id }) => id).sort((a, b) => b - a),
    );
    expect(await listOf(developer, '?limit=1&offset=1')).toEqual([(await listOf(developer))[1]]);
  });

  it.each([
    ['nothing', {}, ['body', 'amount_tokens'], 'missing'],
    ['null', { amount_tokens: null, amount: null }, ['body', 'amount_tokens'], 'missing'],
    ['0', { amount_tokens: 0 }, ['body', 'amount_tokens'], 'greater_than_equal'],
    ['-5', { amount_tokens: -5 }, ['body', 'amount_tokens'], 'greater_than_equal'],
    ['0.5', { amount_tokens: 0.5 }, ['body', 'amount_tokens'], 'int_type'],
    ['"1e3"', { amount_tokens: '1e3' }, ['body', 'amount_tokens'], 'int_type'],
    ['"NaN"', { amount_tokens: 'NaN' }, ['body', 'amount_tokens'], 'int_type'],
    ['2^53', { amount_tokens: 2 ** 53 }, ['body', 'amount_tokens'], 'less_than_equal'],
    ['1e12 + 10', { amount_tokens: 1e12 + 10 }, ['body', 'amount_tokens'], 'less_than_equal'],
    ['too little', { amount_tokens: 9_990 }, ['body', 'amount_tokens'], 'greater_than_equal'],
    ['part of a cent', { amount: 10_001 }, ['body', 'amount'], 'multiple_of'],
    ['two amounts', { amount_tokens: 10_000, amount: 10_010 }, ['body', 'amount'], 'value_error'],
    ['a method of two lines', { amount: 10_000, payout_method: 'a\nb' }, ['body', 'payout_method'], 'value_error'],
    ['too long notes', { amount: 10_000, notes: 'x'.repeat(501) }, ['body', 'notes'], 'string_too_long'],
    ['another key', { amount: 10_000, status: 'paid' }, ['body', 'status'], 'extra_forbidden'],
  ])('refuses %s', async (_what, request, loc, type) => {
    const { client } = await earner(0);
    const { status, body } = await ask(client, request);
    expect([status, body.detail]).toEqual([422, expect.arrayContaining([expect.objectContaining({ loc, type })])]);
  });

  it('refuses NaN as JSON has it not', async () => {
    const { client } = await earner(0);
    const answer = await client.post(PAYOUTS, undefined, {
      raw: '{"amount": NaN}',
      headers: { 'Content-Type': 'application/json' },
    });
    expect(answer.status).toBe(422);
  });

  it('refuses more than there is, with what there is, and changes nothing', async () => {
    const developer = await earner(12_349);
    await bookAll();
    await expectNothingStored(gateway.service, async () => {
      for (const amount of [12_350, 1_000_000_000_000]) {
        expect(await ask(developer.client, { amount })).toMatchObject({
          status: 400,
          body: { code: 'payout.too_much', available: 12_349 },
        });
      }
    });
    expect((await ask(developer.client, { amount: 12_340 })).status).toBe(201);
    expect(await ask(developer.client, { amount: 10_000 })).toMatchObject({ status: 400, body: { available: 9 } });
  });

  it('refuses who has earned nothing, whose tier keeps the earnings, and who is no developer', async () => {
    expect(await ask((await earner(0)).client, { amount: 10_000 })).toMatchObject({
      status: 400,
      body: { available: 0 },
    });
    const explorer = await earner(20_000, 'explorer');
    expect(await ask(explorer.client, { amount: 10_000 })).toMatchObject({
      status: 403,
      body: { code: 'payout.not_in_tier' },
    });
    expect(await earningsOf(explorer)).toMatchObject({ total_earnings: 20_000, available: 20_000 });
    const nobody = gateway.actingFor((await gateway.user()).id);
    expect(await ask(nobody, { amount: 10_000 })).toMatchObject({
      status: 403,
      body: { code: 'developer.not_registered' },
    });
    expect(await nobody.get(PAYOUTS)).toMatchObject({ status: 403, body: { code: 'developer.not_registered' } });
  });

  it('takes no API keys, and nobody who acts for another', async () => {
    const { user } = await earner(20_000);
    const client = await gateway.signIn(user);
    const { body: key } = await client.post<KeyResponse>('/v1/keys', { name: 'all', scopes: '*' });
    const withKey = gateway.client().withToken(key.key);
    for (const path of [PAYOUTS, `${PAYOUTS}/request`]) {
      expect(await withKey.post(path, { amount: 10_000 })).toMatchObject({
        status: 403,
        body: { code: 'session_required' },
      });
      expect((await gateway.client().post(path, { amount: 10_000 })).status).toBe(401);
      const other = await gateway.signIn(await gateway.user());
      expect((await other.post(path, { amount: 10_000, user_id: user.id })).status).toBe(403);
    }
    expect((await withKey.get(PAYOUTS)).status).toBe(200);
  });

  it('makes one payout of 100 requests at once for all of it', async () => {
    const developer = await earner(50_000);
    const answers = await Promise.all(Array.from({ length: 100 }, () => ask(developer.client, { amount: 50_000 })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const { status, body } of answers.filter((answer) => answer.status !== 201)) {
      expect([status, body.code, body.available]).toEqual([400, 'payout.too_much', 0]);
    }
    expect(await listOf(developer)).toHaveLength(1);
    expect(await earningsOf(developer)).toMatchObject({ total_earnings: 50_000, available: 0 });
  });

  it('makes no second payout when the request is tried again with its Idempotency-Key, also where the answer was lost', async () => {
    const developer = await earner(50_000);
    const client = developer.client.withHeaders({ 'Idempotency-Key': 'payday' });
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask(client, { amount: 10_000 })));
    const [first] = answers.filter(({ status }) => status === 201);
    const lost = 'UPDATE idempotent_requests SET status = NULL, body = NULL, leased_until = now() WHERE user_id = $1';
    await gateway.service.query(lost, [developer.user.id]);
    for (let n = 0; n < 2; n++)
      expect(await ask(client, { amount: 10_000 })).toMatchObject({ status: 201, body: first?.body });
    expect(await ask(client, { amount: 20_000 })).toMatchObject({
      status: 422,
      body: { code: 'idempotency.key_reused' },
    });
    expect(await listOf(developer)).toEqual([first?.body]);
    expect((await earningsOf(developer)).available).toBe(40_000);
    expect(await auditEntriesOf(gateway, String(first?.body.id))).toHaveLength(1);
  });

  it('books every share once beside the task that does', async () => {
    const developer = await earner(0);
    for (let n = 0; n < 5; n++) {
      await giveEarnings(gateway, developer.user.id, 10_000);
      const [answer] = await Promise.all([ask(developer.client, { amount: 10_000 }), bookAll(), bookAll()]);
      expect(answer.status).toBe(201);
    }
    expect(await earningsOf(developer)).toMatchObject({ total_earnings: 50_000, available: 0 });
  });

  it('shows a developer their own payouts only', async () => {
    const { developer, id } = await pending();
    const other = await earner(0);
    expect((await listOf(developer)).map((payout) => payout.id)).toEqual([id]);
    expect(await listOf(other)).toEqual([]);
    for (const query of ['?limit=0', '?limit=201', '?offset=-1', '?limit=1e2', '?status=paid']) {
      expect((await developer.client.get(`${PAYOUTS}${query}`)).status).toBe(422);
    }
  });
});

describe('a payout', () => {
  it('is approved, then paid, and nothing else leads there', async () => {
    const { developer, id } = await pending();
    expect(await decide(id, 'paid', { reference: 'too early' })).toMatchObject({
      status: 409,
      body: { code: 'payout.wrong_status', status: 'pending' },
    });
    expect(await decide(id, 'approve', { note: 'On Friday.' })).toMatchObject({
      status: 200,
      body: { id, status: 'approved', admin_note: 'On Friday.', processed_at: null },
    });
    expect(await earningsOf(developer)).toMatchObject({
      total_earnings: 12_340,
      pending_payout: 0,
      paid_out: 0,
      available: 0,
    });
    const paid = {
      id,
      status: 'paid',
      reference: 'SEPA 4711',
      admin_note: 'On Friday.',
      processed_at: expect.any(String),
    };
    expect(await decide(id, 'paid', { reference: 'SEPA 4711' })).toMatchObject({ status: 200, body: paid });
    expect(await listOf(developer)).toMatchObject([paid]);
    expect(await earningsOf(developer)).toMatchObject({
      total_earnings: 12_340,
      pending_payout: 0,
      paid_out: 12_340,
      available: 0,
    });
    for (const [decision, body] of [
      ['approve', {}],
      ['reject', {}],
      ['reject', { from: 'approved' }],
      ['paid', { reference: 'another' }],
    ] as const) {
      expect(await decide(id, decision, body)).toMatchObject({
        status: 409,
        body: { code: 'payout.wrong_status', status: 'paid' },
      });
    }
    expect(await auditEntriesOf(gateway, String(id))).toMatchObject([
      { action: 'payout.requested' },
      { action: 'payout.approved', before_state: { status: 'pending' }, after_state: { status: 'approved' } },
      { action: 'payout.paid', before_state: { status: 'approved' }, after_state: { status: 'paid' } },
    ]);
  });

  it('gives the credits back when it is rejected', async () => {
    const { developer, id } = await pending();
    expect(await decide(id, 'reject', { note: 'Who are you?' })).toMatchObject({
      status: 200,
      body: { status: 'rejected', admin_note: 'Who are you?', processed_at: expect.any(String) },
    });
    expect(await earningsOf(developer)).toMatchObject({
      total_earnings: 12_340,
      pending_payout: 12_340,
      available: 12_340,
    });
    expect((await ask(developer.client, { amount: 12_340 })).status).toBe(201);
    expect(await decide(id, 'approve')).toMatchObject({ status: 409, body: { status: 'rejected' } });
  });

  it('that is approved and cannot be paid is rejected by who says that it is approved', async () => {
    const { developer, id } = await pending();
    await decide(id, 'approve', { note: 'On Friday.' });
    expect(await decide(id, 'reject')).toMatchObject({
      status: 409,
      body: { code: 'payout.wrong_status', status: 'approved' },
    });
    expect(await decide(id, 'reject', { from: 'approved', note: '' })).toMatchObject({
      status: 200,
      body: { status: 'rejected', admin_note: 'On Friday.' },
    });
    expect(await earningsOf(developer)).toMatchObject({ pending_payout: 12_340, available: 12_340 });
    expect(await decide((await pending()).id, 'reject', { from: 'approved' })).toMatchObject({
      status: 409,
      body: { status: 'pending' },
    });
  });

  it('is decided about once: the same again answers as the first, and is told once', async () => {
    const { developer, id } = await pending();
    const [first, ...others] = await Promise.all(
      Array.from({ length: 10 }, () => decide(id, 'approve', { note: 'Yes.' })),
    );
    for (const answer of others) expect([answer.status, answer.body]).toEqual([200, first?.body]);
    for (let n = 0; n < 2; n++)
      expect((await decide(id, 'paid', { reference: 'SEPA 1' })).body.reference).toBe('SEPA 1');
    const rejected = await pending();
    const answers = await Promise.all(Array.from({ length: 10 }, () => decide(rejected.id, 'reject')));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(await earningsOf(rejected.developer)).toMatchObject({ available: 12_340 });
    const told = async (of: number) => (await auditEntriesOf(gateway, String(of))).map(({ action }) => action);
    expect(await told(id)).toEqual(['payout.requested', 'payout.approved', 'payout.paid']);
    expect(await told(rejected.id)).toEqual(['payout.requested', 'payout.rejected']);
    expect(await earningsOf(developer)).toMatchObject({ paid_out: 12_340, available: 0 });
  });

  it('has one outcome when two administrators decide at once', async () => {
    for (let round = 0; round < 5; round++) {
      const { developer, id } = await pending();
      const [approved, rejected] = await Promise.all([decide(id, 'approve'), decide(id, 'reject')]);
      expect([approved.status, rejected.status].sort()).toEqual([200, 409]);
      const [payout] = await listOf(developer);
      expect(payout?.status).toBe(approved.status === 200 ? 'approved' : 'rejected');
      expect(await earningsOf(developer)).toMatchObject({ available: approved.status === 200 ? 0 : 12_340 });
    }
    const { developer, id } = await pending();
    await decide(id, 'approve');
    const both = await Promise.all([
      decide(id, 'paid', { reference: 'x' }),
      decide(id, 'reject', { from: 'approved' }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const { paid_out, available } = await earningsOf(developer);
    expect(paid_out + available).toBe(12_340);
  });

  it.each([
    ['approve', { note: 'x'.repeat(501) }, 'note'],
    ['approve', { note: null }, 'note'],
    ['reject', { note: 'a\u0007' }, 'note'],
    ['reject', { from: 'paid' }, 'from'],
    ['paid', {}, 'reference'],
    ['paid', { reference: '' }, 'reference'],
    ['paid', { reference: 'x'.repeat(201) }, 'reference'],
    ['paid', { reference: 'a\nb' }, 'reference'],
  ])('refuses %s with %j', async (decision, body, key) => {
    expect(await decide(1, decision, body)).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', key] }] } });
  });

  it('is not found where there is none', async () => {
    for (const [decision, body] of [['approve'], ['reject'], ['paid', { reference: 'x' }]] as const) {
      expect(await decide(2_000_000_000, decision, body)).toMatchObject({
        status: 404,
        body: { code: 'payout.not_found' },
      });
      for (const id of ['0', '-1', '1e3', '9007199254740993', 'x', '1.5']) {
        expect((await admin.post(`${ADMIN}/${id}/${decision}`, body ?? {})).status).toBe(422);
      }
    }
  });

  it('waits in a list of whoever runs the platform, the oldest first', async () => {
    await gateway.service.query(
      "UPDATE payouts SET status = 'rejected', processed_at = now() WHERE status IN ('pending', 'approved')",
    );
    const [one, two, three] = [await pending(), await pending(20_000), await pending()];
    const list = async (query = '', client = admin) =>
      (await client.get<OpenPayoutResponse[]>(`${ADMIN}/pending${query}`)).body;
    expect((await list()).map(({ id }) => id)).toEqual([one.id, two.id, three.id]);
    expect((await list('', gateway.backend())).map(({ id }) => id)).toEqual([one.id, two.id, three.id]);
    const { user } = two.developer;
    expect(await list('?limit=1&offset=1')).toEqual([
      {
        ...{ id: two.id, developer: user.id, nickname: (user as { nickname?: string }).nickname, email: user.email },
        ...{ tokens: 20_000, usd: '20.00', status: 'pending', method: 'manual', notes: null, admin_note: null },
        ...{
          debt: 0,
          disputable_tokens: 20_000,
          destination: null,
          destination_problem: null,
          destination_set_at: null,
          requested_at: expect.any(String),
        },
      },
    ]);
    await decide(two.id, 'approve');
    expect((await list()).map(({ id }) => id)).toEqual([one.id, three.id]);
    expect((await list('?status=approved')).map(({ id }) => id)).toEqual([two.id]);
    for (const query of ['?status=paid', '?limit=501', '?offset=-1', '?tenant=x'])
      expect((await admin.get(`${ADMIN}/pending${query}`)).status).toBe(422);
  });

  it('is decided about by nobody but those who run the platform', async () => {
    const { developer, id } = await pending();
    const { id: tenant_id } = await createTenant(admin);
    const adminOfTenant = await gateway.user({ role: 'admin', tenant_id });
    const { body: key } = await (
      await gateway.signIn(await gateway.user({ role: 'admin' }))
    ).post<KeyResponse>('/v1/keys', {
      name: 'read',
      scopes: 'billing:read',
    });
    const strangers = [
      gateway.actingFor(adminOfTenant.id),
      await gateway.signIn(adminOfTenant),
      developer.client,
      await gateway.signIn(developer.user),
      gateway.client().withToken(key.key),
    ];
    await bookAll();
    await expectNothingStored(gateway.service, async () => {
      for (const client of strangers) {
        expect((await client.get(`${ADMIN}/pending`)).status).toBe(403);
        for (const decision of ['approve', 'reject']) expect((await decide(id, decision, {}, client)).status).toBe(403);
        expect((await decide(id, 'paid', { reference: 'x' }, client)).status).toBe(403);
      }
      expect((await gateway.client().get(`${ADMIN}/pending`)).status).toBe(401);
    });
  });

  it('is worth what it was worth when it was asked for, and the database keeps it so', async () => {
    const { id } = await pending();
    const wrong = [
      "status = 'paid'",
      "status = 'rejected'",
      "reference = 'x'",
      'amount_tokens = 9990',
      'amount_tokens = 10001',
      "status = 'lost'",
    ];
    for (const change of wrong) {
      await expect(gateway.service.query(`UPDATE payouts SET ${change} WHERE id = $1`, [id])).rejects.toThrow(
        'violates check constraint',
      );
    }
  });
});

describe('a developer who is erased', () => {
  const erase = (userId: string) =>
    admin.delete<{ code: string; payout_ids: number[] }>(`/v1/users/${userId}?permanent=true`);

  it('is not, while a payout is open', async () => {
    const { developer, id } = await pending();
    const refused = {
      status: 409,
      body: { code: 'user.payout_open', payout_ids: [id], detail: expect.stringContaining('payout') },
    };
    expect(await erase(developer.user.id)).toMatchObject(refused);
    await decide(id, 'approve', { note: 'Ada Lovelace, Vienna' });
    expect(await erase(developer.user.id)).toMatchObject(refused);
    expect((await developer.client.get(PAYOUTS)).status).toBe(200);
    await decide(id, 'paid', { reference: 'SEPA 4711' });
    expect((await erase(developer.user.id)).status).toBe(200);
    const [row] = await gateway.service.query(
      'SELECT status, notes, admin_note, reference FROM payouts WHERE id = $1',
      [id],
    );
    expect(row).toEqual({ status: 'paid', notes: null, admin_note: null, reference: 'SEPA 4711' });
  });

  it('has what they earned booked before', async () => {
    const developer = await earner(20_000);
    expect((await erase(developer.user.id)).status).toBe(200);
    const [wallet] = await gateway.service.query("SELECT seq FROM wallets WHERE user_id = $1 AND kind = 'earnings'", [
      developer.user.id,
    ]);
    expect(wallet).toMatchObject({ seq: expect.stringMatching(/^[12]$/) });
    expect(
      await gateway.service.query('SELECT FROM commission_due WHERE developer_id = $1', [developer.user.id]),
    ).toEqual([]);
  });

  it('gets no payout that is asked for at the same moment', async () => {
    for (const first of ['erasing', 'asking'] as const) {
      const developer = await earner(10);
      await bookAll(); // creates the wallet; otherwise the task would wait for the lock, too
      await giveEarnings(gateway, developer.user.id, 20_000);
      const lock = await HeldLock.acquire(gateway.service, 'SELECT FROM users WHERE id = $1 FOR UPDATE', [
        developer.user.id,
      ]);
      const ways = { erasing: () => erase(developer.user.id), asking: () => ask(developer.client, { amount: 10_000 }) };
      const begun = [ways[first]()];
      await lock.waitForBlocked(1);
      begun.push(ways[first === 'erasing' ? 'asking' : 'erasing']());
      await lock.waitForBlocked(2);
      await lock.release();
      const answers = await Promise.all(begun as Promise<{ status: number; body: { code?: string } }>[]);
      expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
      expect(answers.map(({ status, body }) => (status < 300 ? 'done' : body.code)).sort()).toEqual(
        ['done', first === 'erasing' ? expect.stringMatching(/not_registered|invalid/) : 'user.payout_open'].sort(),
      );
    }
  });
});
