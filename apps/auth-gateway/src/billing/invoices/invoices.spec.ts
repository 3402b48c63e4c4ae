import { InvoicesRepository, PaymentStatusService } from '@platform/billing';
import type { CheckoutResponse, InvoiceResponse, TopUpConfirmResponse, TopUpResponse } from '@platform/contracts';
import { newId } from '@platform/platform';
import type { TestClient } from '@platform/testing';
import { DataSource } from 'typeorm';
import { GatewayWithPayments } from '../../testing/gateway-with-payments.js';
import type { TestUser } from '../../testing/gateway-test.js';
import { createTenant } from '../../testing/tenants.js';

let test: GatewayWithPayments;
let user: TestUser;
let client: TestClient;
/** Users for whom the last step of a settlement fails. */
const failing = new Set<string>();
beforeAll(async () => {
  test = await GatewayWithPayments.start({
    WORKERS: 'inline',
    INVOICE_SELLER: 'Engines Ltd\\n1 Dorset Street',
    INVOICE_PREFIX: 'CP-',
  });
  test.gateway.service.app.get(PaymentStatusService).onChange(
    (_em, { user_id: userId }) => {
      if (failing.has(userId)) throw new Error('The settlement fails.');
      return Promise.resolve();
    },
    { isLast: true },
  );
});
beforeEach(async () => {
  failing.clear();
  test.stripe.webhooks.settings.copies = 1;
  await test.setTime('2031-01-31T12:00:00Z');
  user = await test.gateway.user({ first_name: 'Ada', last_name: 'Lovelace' });
  client = await test.gateway.signIn(user);
});
afterAll(() => test.stop());

const PATH = '/v1/billing/invoices';
const invoices = async (by = client, query = ''): Promise<InvoiceResponse[]> =>
  (await by.get<InvoiceResponse[]>(`${PATH}${query}`)).body;
const rows = <Row = Record<string, unknown>>(sql: string, values: unknown[] = []) =>
  test.gateway.service.query<Row>(sql, values);

async function begin(by = client, cents = 1_000): Promise<TopUpResponse> {
  const body = { tokens: cents * 10, price_cents: cents };
  return (await by.withHeaders({ 'Idempotency-Key': newId('key') }).post<TopUpResponse>('/v1/billing/topup', body))
    .body;
}

async function buy(by = client, cents = 1_000): Promise<TopUpResponse> {
  const begun = await begin(by, cents);
  expect(await test.pay(begun.payment_intent_id, begun.client_secret)).toBe('succeeded');
  await test.settled();
  return begun;
}

const confirm = (userId: string, payment_intent_id: string) =>
  test.gateway.actingFor(userId).post<TopUpConfirmResponse>('/v1/billing/topup/confirm', { payment_intent_id });
const paymentOf = async (intentId: string): Promise<string> =>
  (await rows<{ id: string }>('SELECT id FROM payments WHERE provider_intent_id = $1', [intentId]))[0]?.id ?? '';

/** Inserts a refund, as the refund of a payment does. */
async function refund(paymentId: string, amountCents: number, number = 1, status = 'succeeded'): Promise<string> {
  const id = newId('refund');
  await rows(
    `INSERT INTO payment_refunds (id, tenant_id, payment_id, number, amount_cents, reason, status)
     SELECT $1, tenant_id, id, $3, $4, 'requested', $5 FROM payments WHERE id = $2`,
    [id, paymentId, number, amountCents, status],
  );
  return id;
}
const credit = (paymentId: string, refundId: string, amountCents: number) =>
  test.gateway.service.app
    .get(DataSource)
    .transaction((em) =>
      test.gateway.service.app.get(InvoicesRepository).issueCreditNote(em, { paymentId, refundId, amountCents }),
    );

describe('an invoice', () => {
  it('is issued with the payment, with what was bought, by whom and of whom', async () => {
    const profile = { company: 'Analytical Society', vat: 'GB123', country: 'GB' };
    await client.put('/v1/billing/profile', profile);
    const { payment_intent_id } = await buy();
    const [invoice, ...others] = await invoices();
    expect(others).toEqual([]);
    expect(invoice).toEqual({
      id: expect.stringMatching(/^inv_/),
      number: expect.stringMatching(/^CP-2031-\d{6}$/),
      kind: 'invoice',
      credited_invoice_id: null,
      credited_invoice_number: null,
      payment_intent_id,
      seller: 'Engines Ltd\n1 Dorset Street',
      buyer: { email: user.email, name: 'Ada Lovelace', ...profile },
      lines: [{ description: '10,000 credits', quantity: 1, unit_cents: 1_000, amount_cents: 1_000 }],
      subtotal_cents: 1_000,
      tax_cents: 0,
      total_cents: 1_000,
      currency: 'usd',
      issued_at: expect.stringMatching(/^2031-01-31T/),
    });
    expect((await client.get(`${PATH}/${invoice?.id}`)).body).toEqual(invoice);
  });

  it('stays as it was when the profile changes, or the user is erased', async () => {
    await client.put('/v1/billing/profile', { company: 'Before' });
    await buy();
    await client.put('/v1/billing/profile', { company: 'After' });
    await buy();
    expect((await invoices()).map(({ buyer }) => buyer.company)).toEqual(['After', 'Before']);
    const admin = await test.gateway.signIn(await test.gateway.user({ role: 'admin' }));
    expect((await admin.delete(`/v1/users/${user.id}?permanent=true`)).status).toBe(200);
    const kept = await rows(
      "SELECT buyer ->> 'company' AS company, buyer ->> 'email' AS email FROM invoices WHERE user_id = $1 ORDER BY serial",
      [user.id],
    );
    expect(kept).toEqual(['Before', 'After'].map((company) => ({ company, email: user.email })));
  });

  it('says the plan and its month', async () => {
    const { body } = await client.post<CheckoutResponse>('/v1/billing/checkout', { plan_id: 'pro' });
    await test.pay(body.payment_intent_id, body.client_secret);
    await test.settled();
    await test.setTime('2031-02-14T12:00:00Z');
    await client.post('/v1/billing/change-plan', { plan_id: 'business' });
    expect((await invoices()).map(({ lines }) => lines[0]?.description)).toEqual([
      'Change to the Business plan, until 2031-02-28',
      'Pro plan, 2031-01-31 to 2031-02-28',
    ]);
    await client.post('/v1/billing/cancel'); // A new hour may begin while later tests set the clock years ahead; a renewal would then make an invoice.
  });

  it('is not issued for what is not paid', async () => {
    const begun = await begin();
    await test.pay(begun.payment_intent_id, begun.client_secret, 'pm_card_visa_chargeDeclined');
    await test.settled();
    expect(await invoices()).toEqual([]);
  });

  it('is issued once, whoever tells of the payment', async () => {
    Object.assign(test.stripe.webhooks.settings, { copies: 3 });
    const begun = await begin();
    await test.pay(begun.payment_intent_id, begun.client_secret);
    await Promise.all(Array.from({ length: 20 }, () => confirm(user.id, begun.payment_intent_id)));
    await test.settled();
    expect(await invoices()).toHaveLength(1);
  });

  it('is issued, too, for what could not be given any more', async () => {
    const begun = await begin();
    const admin = await test.gateway.signIn(await test.gateway.user({ role: 'admin' }));
    await admin.delete(`/v1/users/${user.id}?permanent=true`);
    await test.pay(begun.payment_intent_id, begun.client_secret);
    await test.settled();
    const issued = await rows(
      'SELECT i.kind, i.total_cents, r.reason FROM invoices i JOIN payment_refunds r USING (payment_id) WHERE i.user_id = $1 ORDER BY i.kind DESC',
      [user.id],
    );
    expect(issued).toEqual([
      { kind: 'invoice', total_cents: 1_000, reason: 'not_deliverable' },
      { kind: 'credit_note', total_cents: 1_000, reason: 'not_deliverable' },
    ]);
  });
});

describe('the numbers', () => {
  const serials = async (year: number): Promise<number[]> =>
    (await rows<{ serial: number }>('SELECT serial FROM invoices WHERE year = $1 ORDER BY serial', [year])).map(
      ({ serial }) => serial,
    );
  const upTo = (last: number): number[] => Array.from({ length: last }, (_one, at) => at + 1);

  /** Payments that succeeded at the provider but are unknown to the gateway. */
  async function paidBy(count: number): Promise<{ id: string; intentId: string }[]> {
    await test.stopWebhooks();
    const payers = await Promise.all(upTo(count).map(() => test.gateway.user()));
    return Promise.all(
      payers.map(async ({ id }) => {
        const begun = await begin(test.gateway.actingFor(id));
        expect(await test.pay(begun.payment_intent_id, begun.client_secret)).toBe('succeeded');
        return { id, intentId: begun.payment_intent_id };
      }),
    );
  }
  const settle = async (paid: { id: string; intentId: string }[]): Promise<number[]> =>
    (await Promise.all(paid.map(({ id, intentId }) => confirm(id, intentId)))).map(({ status }) => status);

  it('of 100 payments that are settled at once are 1 to 100, in the order in which they were issued', async () => {
    await test.setTime('2041-06-01T00:00:00Z');
    const paid = await paidBy(100);
    expect(new Set(await settle(paid))).toEqual(new Set([200]));
    expect(await serials(2041)).toEqual(upTo(100));
    const numbers = await rows<{ number: string }>(
      'SELECT number FROM invoices WHERE year = 2041 ORDER BY issued_at, serial',
    );
    expect(numbers.map(({ number }) => number)).toEqual(
      upTo(100).map((serial) => `CP-2041-${String(serial).padStart(6, '0')}`),
    );
  });

  it('have no gap where settlements are rolled back, and these get theirs later', async () => {
    await test.setTime('2042-06-01T00:00:00Z');
    const paid = await paidBy(40);
    const lost = paid.filter((_one, at) => at % 2);
    for (const { id } of lost) failing.add(id);
    expect((await settle(paid)).sort()).toEqual([...upTo(20).map(() => 200), ...upTo(20).map(() => 500)]);
    expect(await serials(2042)).toEqual(upTo(20));
    failing.clear();
    expect(new Set(await settle(lost))).toEqual(new Set([200]));
    expect(await serials(2042)).toEqual(upTo(40));
  });

  it('begin anew with each year, in UTC', async () => {
    await test.setTime('2043-12-31T23:00:00Z');
    const { payment_intent_id: first } = await buy();
    await test.setTime('2044-01-01T00:00:01Z');
    await buy();
    expect((await invoices()).map(({ number }) => number)).toEqual(['CP-2044-000001', 'CP-2043-000001']);
    expect((await invoices())[1]?.payment_intent_id).toBe(first);
  });

  it('are unique and without gaps for whoever writes to the database', async () => {
    await buy();
    const insert = (serial: string, number: string) =>
      rows(
        `INSERT INTO invoices SELECT (jsonb_populate_record(i, jsonb_build_object('id', $2::text, 'serial', ${serial}, 'previous_serial', ${serial} - 1,
           'number', $3::text, 'kind', 'credit_note', 'refund_id', $2::text, 'invoice_id', i.id))).* FROM invoices i WHERE user_id = $1`,
        [user.id, newId('x'), number],
      );
    const [{ id }] = (await rows('SELECT id FROM invoices WHERE user_id = $1', [user.id])) as [{ id: string }];
    await expect(insert('i.serial', newId('n'))).rejects.toMatchObject({ constraint: 'invoices_serial_key' });
    await expect(insert('i.serial + 7', newId('n'))).rejects.toMatchObject({
      constraint: expect.stringMatching(/_fkey$/),
    });
    for (const statement of ['UPDATE invoices SET total_cents = 1', 'DELETE FROM invoices', 'TRUNCATE invoices']) {
      await expect(rows(statement)).rejects.toThrow('never changed or removed');
    }
    expect((await invoices()).map((one) => one.id)).toEqual([id]);
  });
});

describe('a credit note', () => {
  it('takes from its invoice, once for each refund, with the same buyer', async () => {
    await client.put('/v1/billing/profile', { company: 'Before' });
    const payment = await paymentOf((await buy()).payment_intent_id);
    await client.put('/v1/billing/profile', { company: 'After' });
    const first = await refund(payment, 300);
    const number = await credit(payment, first, 300);
    expect(await credit(payment, first, 300)).toBe(number);
    const second = await credit(payment, await refund(payment, 700, 2), 700);
    const [newest, note, invoice] = await invoices();
    expect(invoice).toMatchObject({ kind: 'invoice', total_cents: 1_000 });
    expect(note).toMatchObject({
      kind: 'credit_note',
      number,
      credited_invoice_id: invoice?.id,
      credited_invoice_number: invoice?.number,
      payment_intent_id: invoice?.payment_intent_id,
      buyer: { company: 'Before' },
      lines: [{ description: `Refund of invoice ${invoice?.number}`, quantity: 1, unit_cents: 300, amount_cents: 300 }],
      total_cents: 300,
      currency: 'usd',
    });
    expect(newest).toMatchObject({ number: second, total_cents: 700 });
  });

  it('is one of 50 at once for the same refund, and never of more than the invoice for different ones', async () => {
    const payment = await paymentOf((await buy()).payment_intent_id);
    const one = await refund(payment, 100);
    const same = await Promise.all(Array.from({ length: 50 }, () => credit(payment, one, 100)));
    expect(new Set(same).size).toBe(1);
    // Failed refunds have a credit note, too.
    const many = await Promise.all(Array.from({ length: 15 }, (_one, at) => refund(payment, 100, at + 2, 'failed')));
    const answers = await Promise.all(many.map((id) => credit(payment, id, 100)));
    expect(answers.filter((number) => number !== null)).toHaveLength(9);
    const [{ sum }] = (await rows(
      "SELECT sum(total_cents)::int AS sum FROM invoices WHERE user_id = $1 AND kind = 'credit_note'",
      [user.id],
    )) as [{ sum: number }];
    expect(sum).toBe(1_000);
  });

  it('is not there for a payment without an invoice', async () => {
    expect(await credit('pay_none', 'refund_none', 100)).toBeNull();
  });
});

describe('the list', () => {
  it('has the newest first, by pages', async () => {
    for (const cents of [100, 200, 300]) await buy(client, cents);
    const totals = async (query: string) => (await invoices(client, query)).map(({ total_cents }) => total_cents);
    expect(await totals('')).toEqual([300, 200, 100]);
    expect(await totals('?limit=1&offset=1')).toEqual([200]);
    expect(await totals('?limit=2')).toEqual([300, 200]);
    expect(await totals('?offset=3')).toEqual([]);
  });

  it.each([
    ['limit=0', 422],
    ['limit=201', 422],
    ['offset=-1', 422],
    ['kind=invoice', 422],
    ['limit=1&offset=0', 200],
  ])('with %s answers %i', async (query, status) => {
    expect((await client.get(`${PATH}?${query}`)).status).toBe(status);
  });

  it('and each invoice is for its user alone, and for a key with billing:read', async () => {
    await buy();
    const id = (await invoices())[0]?.id;
    const { id: tenant_id } = await createTenant(test.gateway.backend());
    for (const changes of [{}, { tenant_id }]) {
      const other = await test.gateway.user(changes);
      for (const by of [await test.gateway.signIn(other), test.gateway.actingFor(other.id)]) {
        expect(await invoices(by)).toEqual([]);
        for (const path of [`${PATH}/${id}`, `${PATH}/${id}/html`]) {
          expect(await by.get(path)).toMatchObject({ status: 404, body: { code: 'invoice.not_found' } });
        }
      }
    }
    const byKey = async (scopes: string) => {
      const { body } = await client.post<{ key: string }>('/v1/keys', { name: newId('k'), scopes });
      return test.gateway.client().withHeaders({ 'x-api-key': body.key });
    };
    const [reader, stranger] = [await byKey('billing:read'), await byKey('profile:read')];
    for (const path of [PATH, `${PATH}/${id}`, `${PATH}/${id}/html`]) {
      expect([path, (await reader.get(path)).status]).toEqual([path, 200]);
      expect([path, (await stranger.get(path)).status]).toEqual([path, 403]);
      expect([path, (await test.gateway.client().get(path)).status]).toEqual([path, 401]);
    }
    expect((await client.get(`${PATH}/inv_none`)).status).toBe(404);
  });
});

describe('the page to print', () => {
  const page = (id: string) => client.get<string>(`${PATH}/${id}/html`);

  it('says what the invoice says, and may do nothing', async () => {
    await client.put('/v1/billing/profile', {
      name: '<img src=x onerror=alert(1)>',
      company: '</style><script>alert("x")</script>',
    });
    await buy(client, 12_345);
    const [invoice] = await invoices();
    const { status, headers, body } = await page(invoice?.id ?? '');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('cache-control')).toContain('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    const style = /<style>([^]*?)<\/style>/.exec(body)?.[1] ?? '';
    const hash = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(style))).toString('base64');
    expect(headers.get('content-security-policy')).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox`,
    );
    expect(style).toContain('@media print');
    for (const said of [
      `Invoice ${invoice?.number}`,
      'Engines Ltd\n1 Dorset Street',
      user.email,
      '123,450 credits',
      '$123.45',
      String(invoice?.issued_at).slice(0, 10),
    ]) {
      expect(body).toContain(said);
    }
    expect(body).not.toMatch(/<(script|img|link|iframe|form|a)\b| on\w+=|style=|url\(|@import|https?:/i);
    expect(body).toContain('&lt;script&gt;');
  });

  it('of a credit note names its invoice', async () => {
    const payment = await paymentOf((await buy()).payment_intent_id);
    const number = await credit(payment, await refund(payment, 250), 250);
    const [note, invoice] = await invoices();
    const { body } = await page(note?.id ?? '');
    for (const said of [`Credit note ${number}`, 'Corrects invoice', `${invoice?.number}`, 'Refunded', '$2.50'])
      expect(body).toContain(said);
  });
});
