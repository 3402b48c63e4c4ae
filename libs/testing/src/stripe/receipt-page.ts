import type { Account } from './account.js';
import { amountOf, escaped, page, type Answer } from './pages.js';

/**
 * Page behind `receipt_url` of a charge, or a page with 404 if there is no paid charge. The secret
 * id in its path authorizes the customer.
 */
export function receiptPage({ state }: Account, id: string): Answer {
  const charge = state.find('charge', id);
  if (!charge?.paid) return page(404, 'No such receipt', '<p>There is no such payment.</p>');
  const day = new Date(charge.created * 1_000).toISOString().slice(0, 10);
  return page(
    200,
    'Receipt (test)',
    `<p class="amount">${escaped(amountOf(charge))}</p><p>${escaped(charge.description ?? '')}</p><p>Paid on ${day}. This stands in for a receipt of Stripe.</p>`,
  );
}
