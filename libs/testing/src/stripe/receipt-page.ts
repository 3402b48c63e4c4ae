import type { FakeAccount } from './account.js';
import { formatAmount, escapeHtml, renderPage, type Answer } from './pages.js';

/**
 * Page behind `receipt_url` of a charge, or a page with 404 if there is no paid charge. The secret
 * id in its path authorizes the customer.
 */
export function renderReceiptPage({ state }: FakeAccount, id: string): Answer {
  const charge = state.find('charge', id);
  if (!charge?.paid) return renderPage(404, 'No such receipt', '<p>There is no such payment.</p>');
  const day = new Date(charge.created * 1_000).toISOString().slice(0, 10);
  return renderPage(
    200,
    'Receipt (test)',
    `<p class="amount">${escapeHtml(formatAmount(charge))}</p><p>${escapeHtml(charge.description ?? '')}</p><p>Paid on ${day}. This stands in for a receipt of Stripe.</p>`,
  );
}
