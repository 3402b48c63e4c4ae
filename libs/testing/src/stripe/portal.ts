import type Stripe from 'stripe';
import { requireCustomer, type FakeAccount } from './account.js';
import { createInvalidError } from './stripe-api-error.js';
import { escapeHtml, renderPage, type Answer } from './pages.js';
import { readRequiredText, readText, type KnownParameters, type Parameters } from './parameters.js';

export const PORTAL_SESSION: KnownParameters = { customer: true, return_url: true };

/**
 * Creates a link for one customer to the page for changing cards.
 *
 * @throws StripeApiError 400 if `customer` is missing or unknown, or `return_url` is not an http(s)
 * URL
 */
export function createPortalSession(account: FakeAccount, given: Parameters): Stripe.BillingPortal.Session {
  const { state, urlOf } = account;
  const customer = requireCustomer(account, readRequiredText(given, 'customer')).id;
  const returnUrl = readText(given, 'return_url') ?? null;
  if (returnUrl !== null && !isWebAddress(returnUrl))
    throw createInvalidError('Not a valid URL', 'return_url', 'url_invalid');
  const id = state.newId('portal_session');
  return state.put('portal_session', {
    id,
    object: 'billing_portal.session',
    configuration: 'bpc_stand_in',
    created: state.now(),
    customer,
    customer_account: null,
    flow: null,
    livemode: false,
    locale: null,
    on_behalf_of: null,
    return_url: returnUrl,
    url: urlOf(`/portal/${id}`),
  });
}

/**
 * Page behind the link of a portal session, or a page with 404. It only has a way back. The secret
 * id in its path authorizes the customer.
 */
export function renderPortalPage({ state }: FakeAccount, id: string): Answer {
  const session = state.find('portal_session', id);
  if (!session) return renderPage(404, 'No such page', '<p>There is no such session.</p>');
  const back = session.return_url === null ? '' : `<p><a href="${escapeHtml(session.return_url)}">Back</a></p>`;
  return renderPage(
    200,
    'Customer portal (test)',
    `<p>With Stripe, the customer would see their cards and receipts here. This stands in for it.</p>${back}`,
  );
}

const isWebAddress = (text: string): boolean =>
  URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);
