import { SubscriptionsService } from '@platform/billing';
import { newId } from '@platform/platform';
import { kind, type ContentPart } from '../testing/content-part.js';
import type { TenantContent } from '../testing/tenant-content.js';
import { giveCredits } from '../testing/wallets.js';

const PAYMENT = kind('pi', ['payment_intent_id']);
const CARD = kind('pm', ['pm_id', 'payment_method_id']);
const INVOICE = kind('inv', ['invoice_id']);

export const content: ContentPart = {
  kinds: { payment: PAYMENT, card: CARD, invoice: INVOICE },
  bodies: {
    'POST /v1/billing/subscribe': () => ({ plan_id: 'free' }),
    'POST /v1/billing/checkout': () => ({ plan_id: 'pro' }),
    // Payment of a plan.
    'POST /v1/billing/checkout/confirm': ({ own }) => ({ payment_intent_id: own.idsOf('payment')[1] }),
  },
  async create(content) {
    await Promise.all([wallets(content), payments(content).then(() => invoices(content))]);
  },
};

async function wallets(content: TenantContent): Promise<void> {
  const { gateway, tenantId } = content;
  for (const id of content.idsOf('user')) {
    const description = newId('text');
    // A job would otherwise do this at any time.
    await gateway.service.app.get(SubscriptionsService).ensureFreePlan(id);
    await giveCredits(gateway, id, 100, { description });
    await gateway.service.query('INSERT INTO spending_limits (user_id) VALUES ($1)', [id]);
    await gateway.service.query(
      "INSERT INTO usage_counters (user_id, meter, period_starts_at, used) VALUES ($1, 'tool_calls', now(), 1)",
      [id],
    );
    await gateway.service.query(
      `INSERT INTO idempotent_requests (id, tenant_id, user_id, owner, target, key, sha256, attempt, leased_until, status, body)
       VALUES ($1, $2, $3, 'user:' || $3, 'POST /v1', $1, sha256('x'), gen_random_uuid(), now(), 200, $4)`,
      [newId('idm'), tenantId, id, JSON.stringify({ text: description })],
    );
    content.texts.push(description);
  }
}

/** Adds an unpaid top-up and an unpaid first payment of a plan for each person. */
async function payments(content: TenantContent): Promise<void> {
  const { gateway, tenantId, stripe } = content;
  for (const { id } of content.people) {
    const customer = (await stripe?.createObject('customers', { email: `${id}@example.com` })) ?? newId('cus');
    await gateway.service.query(
      `WITH former AS (INSERT INTO former_billing_customers (user_id, tenant_id, provider_customer_id, is_live) VALUES ($1, $2, 'former_' || $3, false))
       INSERT INTO billing_customers (user_id, tenant_id, provider_customer_id, is_live) VALUES ($1, $2, $3, false)`,
      [id, tenantId, customer],
    );
    const card = (await stripe?.createObject('payment_methods/pm_card_visa/attach', { customer })) ?? CARD.unknown();
    await gateway.service.query(
      `INSERT INTO payment_methods (id, tenant_id, user_id, is_live, type, brand, last4, exp_month, exp_year, is_default)
       VALUES ($1, $2, $3, false, 'card', 'visa', '4242', 12, 2034, true)`,
      [card, tenantId, id],
    );
    content.idsOf('card').push(card);
    await gateway.service.query(
      'INSERT INTO payment_declines (attempt_id, user_id, intent_id, declined_at) VALUES ($1, $2, $3, now())',
      [newId('ch'), id, newId('pi')],
    );
    await gateway.service.query(
      `INSERT INTO auto_topups (user_id, tenant_id, enabled, threshold_pct, recharge_tokens, recharge_cents, daily_cap_cents, monthly_cap_cents)
       VALUES ($1, $2, false, 10, 20000, 2000, 10000, 50000)`,
      [id, tenantId],
    );
    await gateway.service.query(
      "INSERT INTO auto_topup_consents (id, tenant_id, user_id, text, settings, given_by) VALUES ($1, $2, $3, $4, '{}', 'session')",
      [newId('consent'), tenantId, id, newId('text')],
    );
    for (const purpose of ['topup', 'checkout'])
      content.idsOf('payment').push(await payment(content, id, customer, purpose));
  }
}

async function payment(
  { gateway, tenantId, stripe }: TenantContent,
  userId: string,
  customer: string,
  purpose: string,
): Promise<string> {
  const payment = newId('pay');
  const intent =
    (await stripe?.createObject('payment_intents', {
      amount: '1000',
      currency: 'usd',
      customer,
      'metadata[payment_id]': payment,
      'metadata[user_id]': userId,
    })) ?? PAYMENT.unknown();
  if (purpose === 'checkout')
    await gateway.service.query(
      `INSERT INTO subscriptions (id, tenant_id, user_id, plan_id, plan_version, status, started_at, anchor_at, period_number, period_starts_at, period_ends_at)
       SELECT $1, $2, $3, id, version, 'incomplete', now(), now(), 1, now(), now() + interval '1 month' FROM plans WHERE id = 'pro' ORDER BY version DESC LIMIT 1`,
      [payment, tenantId, userId],
    );
  await gateway.service.query(
    `INSERT INTO payments (id, tenant_id, user_id, purpose, scope, status, amount_cents, currency, credits, is_live, provider_intent_id, subscription_id, plan_id,
       plan_version, period_number)
     SELECT $1, $2, $3, $4, $1, 'open', 1000, 'usd', 10000, false, $5, s.id, s.plan_id, s.plan_version, s.period_number
     FROM (VALUES ($1::text)) AS p (id) LEFT JOIN subscriptions s ON s.id = p.id`,
    [payment, tenantId, userId, purpose, intent],
  );
  await gateway.service.query(
    `INSERT INTO payment_refunds (id, tenant_id, payment_id, number, amount_cents, reason, status, note)
     VALUES ($1, $2, $3, 1, 1000, 'requested', 'failed', $4)`,
    [newId('refund'), tenantId, payment, newId('text')],
  );
  await gateway.service.query(
    `INSERT INTO payment_disputes (id, tenant_id, payment_id, provider_dispute_id, amount_cents, status, reason, created_at)
     VALUES ($1, $2, $3, $1, 1000, 'warning_closed', 'general', now())`,
    [newId('dp'), tenantId, payment],
  );
  return intent;
}

/** Adds an invoice for each person, each the first of its own series. */
async function invoices(content: TenantContent): Promise<void> {
  const { gateway, tenantId } = content;
  for (const { id } of content.people) {
    const [invoice, company] = [INVOICE.unknown(), newId('name')];
    await gateway.service.query(
      `INSERT INTO invoices (id, tenant_id, user_id, kind, series, year, serial, number, payment_id, payment_intent_id, seller, buyer, lines, subtotal_cents,
         total_cents, currency, issued_at)
       SELECT $1, tenant_id, user_id, 'invoice', $1, 2026, 1, $1, id, provider_intent_id, 'x', $3, '[]', 1000, 1000, 'usd', now()
       FROM payments WHERE user_id = $2 LIMIT 1`,
      [invoice, id, JSON.stringify({ name: null, company, vat: null, country: null, email: 'x' })],
    );
    await gateway.service.query(
      'INSERT INTO billing_profiles (user_id, tenant_id, company, revision) VALUES ($1, $2, $3, 1)',
      [id, tenantId, company],
    );
    content.idsOf('invoice').push(invoice);
    content.texts.push(company);
  }
}
