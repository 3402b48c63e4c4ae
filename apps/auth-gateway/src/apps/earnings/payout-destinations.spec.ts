import type { OpenPayoutResponse, PayoutDestinationResponse, PayoutResponse } from '@platform/contracts';
import type { TestClient } from '@platform/testing';
import { giveEarnings } from '../../testing/charges.js';
import { auditEntriesOf, newDeveloper, type TestDeveloper } from '../../testing/developers.js';
import { GatewayTest, PASSWORD } from '../../testing/gateway-test.js';
import { createTenant } from '../../testing/tenants.js';

let gateway: GatewayTest;
let admin: TestClient;
let developer: TestDeveloper;
beforeAll(async () => {
  gateway = await GatewayTest.start();
  admin = await gateway.signIn(await gateway.user({ role: 'admin' }));
});
beforeEach(async () => {
  developer = await newDeveloper(gateway, 'indie');
});
afterAll(() => gateway.stop());

const PATH = '/v1/developer/payout-destination';
const IBAN = 'DE89 3704 0044 0532 0130 00, Ada Lovelace';
const NONE = { method: null, details: null, changed_at: null };
type Refusal = PayoutDestinationResponse & { code?: string };

const keep = (changes: object = {}, client = developer.client) =>
  client.put<Refusal>(PATH, { method: 'bank transfer', details: IBAN, current_password: PASSWORD, ...changes });
const kept = async (client = developer.client) => (await client.get<PayoutDestinationResponse>(PATH)).body;
const request = (body: object = {}) =>
  developer.client.post<PayoutResponse & { code?: string }>('/v1/developer/payouts/request', {
    amount_tokens: 10_000,
    ...body,
  });
const listed = async (id: number) =>
  (await admin.get<OpenPayoutResponse[]>('/v1/admin/payouts/pending?limit=500')).body.find(
    (payout) => payout.id === id,
  );
const stored = () =>
  gateway.service.query<{ method: string; sealed_details: string | null }>(
    'SELECT method, sealed_details FROM payout_destinations WHERE user_id = $1 ORDER BY created_at',
    [developer.user.id],
  );

describe('the account to which payouts go', () => {
  it('is kept by the password, encrypted, written down without its details, and told by mail', async () => {
    expect(await kept()).toEqual(NONE);
    const { status, body } = await keep();
    expect([status, body]).toEqual([200, { method: 'bank transfer', details: IBAN, changed_at: expect.any(String) }]);
    expect(await kept()).toEqual(body);
    const [row] = await stored();
    expect(row?.method).toBe('bank transfer');
    expect(row?.sealed_details).not.toContain('DE89');
    const history = await auditEntriesOf(gateway, developer.user.id);
    expect(history).toContainEqual(
      expect.objectContaining({ action: 'payout_destination.changed', after_state: { method: 'bank transfer' } }),
    );
    expect(JSON.stringify(history)).not.toContain('DE89');
    const mail = await gateway.smtp.waitForMail(developer.user.email);
    expect(mail.subject).toBe('Your payouts go to another account now');
    expect(mail.text).not.toContain('DE89');
  });

  it('is not changed by a wrong password', async () => {
    await keep();
    const { status, body } = await keep({ details: 'of a thief', current_password: 'not the password 1' });
    expect([status, body.code]).toEqual([400, 'password.current_invalid']);
    expect((await kept()).details).toBe(IBAN);
  });

  it.each([
    ['no way of payment', { method: ' ' }],
    ['a way of payment of two lines', { method: 'a\nb' }],
    ['a way of payment that is too long', { method: 'x'.repeat(51) }],
    ['no details', { details: '' }],
    ['details that are too long', { details: 'x'.repeat(501) }],
  ])('is refused with %s', async (_what, changes) => {
    expect((await keep(changes)).status).toBe(422);
    expect(await stored()).toEqual([]);
  });

  it('is one of 20 that are sent at once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => keep({ details: `account ${at}` })));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect((await kept()).details).toMatch(/^account \d+$/);
    expect(await stored()).toHaveLength(20);
  });

  it('is nothing for other users, other tenants, and users who are no developers', async () => {
    await keep();
    const { id: tenant_id } = await createTenant(gateway.backend());
    for (const other of [await gateway.user(), await gateway.user({ tenant_id })]) {
      const client = gateway.actingFor(other.id);
      expect((await client.get(PATH)).status).toBe(403);
      expect((await keep({}, client)).body.code).toBe('developer.not_registered');
    }
    expect((await developer.client.get(`${PATH}?user_id=${(await gateway.user()).id}`)).status).toBe(403);
    expect(await kept((await newDeveloper(gateway, 'indie')).client)).toEqual(NONE);
  });

  it('goes with its developer', async () => {
    await keep();
    expect((await admin.delete(`/v1/users/${developer.user.id}?permanent=true`)).status).toBe(200);
    expect(await stored()).toEqual([{ method: 'manual', sealed_details: null }]);
  });
});

describe('a payout', () => {
  beforeEach(() => giveEarnings(gateway, developer.user.id, 40_000));

  it('goes to the account that was kept when it was requested', async () => {
    await keep();
    const { body } = await request({ payout_method: 'bank transfer' });
    expect(body.method).toBe('bank transfer');
    await keep({ method: 'wire', details: 'another account' });
    expect(await listed(body.id)).toMatchObject({
      method: 'bank transfer',
      destination: IBAN,
      destination_set_at: expect.any(String),
    });
    const { body: later } = await request();
    expect(await listed(later.id)).toMatchObject({ method: 'wire', destination: 'another account' });
  });

  it('names no other account than the kept one', async () => {
    const refusal = async (payout_method: string) => {
      const { status, body } = await request({ payout_method });
      return [status, body.code];
    };
    expect(await refusal('bank transfer')).toEqual([409, 'payout.other_method']);
    await keep();
    expect(await refusal('manual')).toEqual([409, 'payout.other_method']);
    expect((await developer.client.get<PayoutResponse[]>('/v1/developer/payouts')).body).toEqual([]);
  });

  it('that was changed in the database is named as such, and the other payouts are listed', async () => {
    await keep();
    const { body } = await request();
    const other = await newDeveloper(gateway, 'indie');
    await keep({}, other.client);
    const [kept] = await gateway.service.query<{ sealed_details: string }>(
      'SELECT sealed_details FROM payout_destinations WHERE user_id = $1',
      [other.user.id],
    );
    await gateway.service.query('UPDATE payout_destinations SET sealed_details = $2 WHERE user_id = $1', [
      developer.user.id,
      kept?.sealed_details,
    ]);
    expect(await listed(body.id)).toMatchObject({
      destination: null,
      destination_problem: expect.stringContaining('changed'),
    });
  });

  it('without a kept account is paid as agreed', async () => {
    const { body } = await request();
    expect(await listed(body.id)).toMatchObject({ method: 'manual', destination: null, destination_set_at: null });
  });
});
