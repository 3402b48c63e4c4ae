import type { PaymentRow } from '../payments/payment-row.js';
import type { InvoiceLine } from './invoice.entity.js';

/** Line with the quantity 1. */
export const createInvoiceLine = (description: string, cents: number): InvoiceLine => ({
  description,
  quantity: 1,
  unit_cents: cents,
  amount_cents: cents,
});

/**
 * Describes the item that a payment bought, for the line of an invoice, for example `20,000
 * credits` or `Pro plan, 2026-01-01 to 2026-02-01`.
 *
 * @param planName null to name the plan by its id.
 * @param period paid period of the plan; null for a top-up, and if the subscription has changed.
 */
export function describePayment(
  { purpose, credits, plan_id: planId }: PaymentRow,
  planName: string | null,
  period: { startsAt: Date; endsAt: Date } | null,
): string {
  const plan = `${planName ?? planId} plan`;
  switch (purpose) {
    case 'topup':
    case 'auto_topup':
      return `${Number(credits).toLocaleString('en-US')} credits`;
    case 'checkout':
    case 'renewal':
      return `${plan}, ${period ? `${dayOf(period.startsAt)} to ${dayOf(period.endsAt)}` : 'one month'}`;
    case 'upgrade':
      return `Change to the ${plan}${period ? `, until ${dayOf(period.endsAt)}` : ''}`;
  }
}

const dayOf = (time: Date): string => time.toISOString().slice(0, 10);
