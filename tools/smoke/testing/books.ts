import type Stripe from 'stripe';
import type { PayingPlatform } from './paying-platform.js';

interface PaidRow {
  id: string;
  intent: string;
  purpose: string;
  amount_cents: number;
  refunded_cents: number;
  credits: string;
  subscription_id: string | null;
  period_number: number | null;
  is_given_back: boolean;
  /** Credits taken back by all refunds and disputes of the payment. */
  taken: string;
}

export interface Sums {
  /** Number of payments; the following fields are cents or credits. */
  intents: number;
  paidCents: number;
  refundedCents: number;
  disputedCents: number;
  topupCredits: number;
}

/**
 * Compares the provider's data with the platform's payments and with the credits that users
 * received, with sums of its own, independent of the code that moved the money. Returns all
 * differences and the sums.
 */
export async function compareBooks(platform: PayingPlatform): Promise<{ differences: string[]; sums: Sums }> {
  const [intents, refunds, disputes] = [
    (await platform.allOfStripe<Stripe.PaymentIntent>('payment_intents')).filter(
      ({ status }) => status === 'succeeded',
    ),
    (await platform.allOfStripe<Stripe.Refund>('refunds')).filter(({ status }) => status === 'succeeded'),
    (await platform.allOfStripe<Stripe.Dispute>('disputes')).filter(({ status }) => status !== 'won'),
  ];
  const paid = await platform.query<PaidRow>(PAID);
  const entries = new Map(
    (
      await platform.query<{ idem_key: string; amount: string }>(
        'SELECT idem_key, amount FROM ledger_entries WHERE amount > 0',
      )
    ).map(({ idem_key, amount }) => [idem_key, Number(amount)]),
  );
  const differences: string[] = [];
  const expectSame = (what: string, one: unknown, other: unknown) => {
    if (one !== other) differences.push(`${what}: ${String(one)}, and not ${String(other)}`);
  };
  const [refundedOf, disputedOf] = [byIntent(refunds), byIntent(disputes)];
  const rows = new Map(paid.map((row) => [row.intent, row]));
  for (const { id, amount_received: received } of intents) {
    const row = rows.get(id);
    if (!row) differences.push(`${id} was paid at the provider, and is no payment that succeeded here`);
    else expectSame(`cents of ${row.id}`, row.amount_cents, received);
    rows.delete(id);
  }
  for (const { id } of rows.values()) differences.push(`${id} succeeded here, and was not paid at the provider`);
  let topupCredits = 0;
  const grants = new Map<string, number>();
  for (const row of paid) {
    const { id, intent, purpose, amount_cents: cents, subscription_id: subscription, period_number: period } = row;
    const refunded = refundedOf.get(intent) ?? 0;
    expectSame(`refunded cents of ${id}`, row.refunded_cents, refunded);
    if (purpose === 'topup' || purpose === 'auto_topup') {
      const credited = entries.get(`topup:${id}`) ?? 0;
      topupCredits += credited;
      expectSame(`credits bought by ${id}`, credited, row.is_given_back ? 0 : cents * 10);
      if (!row.is_given_back)
        expectSame(
          `credits that went back of ${id}`,
          Number(row.taken),
          Math.min(refunded + (disputedOf.get(intent) ?? 0), cents) * 10,
        );
      continue;
    }
    const grant = `grant:${subscription}:${period}${purpose === 'upgrade' ? `:${id}` : ''}`;
    grants.set(grant, (grants.get(grant) ?? 0) + (row.is_given_back ? 0 : 1));
  }
  // A period can be paid twice; then one payment was given back.
  for (const [grant, payments] of grants)
    expectSame(`payments of ${grant}`, payments, entries.has(grant) || entries.has(`${grant}:gift`) ? 1 : 0);
  expectSame('invoices', await count(platform, "invoices WHERE kind = 'invoice'"), paid.length);
  expectSame('gaps in the numbers of invoices', await count(platform, GAPS), 0);
  expectSame('payments whose credit notes are not of what went back', await count(platform, WRONG_NOTES), 0);
  const total = (all: readonly { amount: number }[]) => all.reduce((sum, { amount }) => sum + amount, 0);
  const rowsCents = paid.reduce((sum, row) => sum + row.amount_cents - row.refunded_cents, 0);
  expectSame('Σ payments − Σ refunds', rowsCents, total(intents) - total(refunds));
  return {
    differences,
    sums: {
      intents: intents.length,
      paidCents: total(intents),
      refundedCents: total(refunds),
      disputedCents: total(disputes),
      topupCredits,
    },
  };
}

const PAID = `
  SELECT p.id, p.provider_intent_id AS intent, p.purpose, p.amount_cents, p.refunded_cents, p.credits, p.subscription_id, p.period_number,
    EXISTS (SELECT FROM payment_refunds r WHERE r.payment_id = p.id AND r.reason = 'not_deliverable') AS is_given_back,
    (SELECT coalesce(sum(r.credits), 0) FROM payment_refunds r WHERE r.payment_id = p.id)
      + (SELECT coalesce(sum(d.credits), 0) FROM payment_disputes d WHERE d.payment_id = p.id) AS taken
  FROM payments p WHERE p.status = 'succeeded'`;

const GAPS = '(SELECT FROM invoices GROUP BY series, year HAVING max(serial) <> count(*)) AS gaps';
/** A failed refund keeps its credit note, which then covers the refund that replaces it. */
const WRONG_NOTES = `(SELECT FROM payments p, LATERAL (SELECT coalesce(sum(total_cents), 0) AS cents FROM invoices i
  WHERE i.payment_id = p.id AND i.kind = 'credit_note') AS notes WHERE p.status = 'succeeded'
    AND notes.cents NOT BETWEEN p.refunded_cents AND p.amount_cents) AS wrong`;

function byIntent(
  all: readonly { payment_intent: string | { id: string } | null; amount: number }[],
): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { payment_intent: intent, amount } of all) {
    const id = typeof intent === 'string' ? intent : (intent?.id ?? '');
    sums.set(id, (sums.get(id) ?? 0) + amount);
  }
  return sums;
}

async function count(platform: PayingPlatform, rows: string): Promise<number> {
  const [row] = await platform.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${rows}`);
  return row?.count ?? 0;
}
