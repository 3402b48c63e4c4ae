import type Stripe from 'stripe';
import type { FakeAccount } from './account.js';
import { StripeApiError } from './stripe-api-error.js';
import { formatAmount, escapeHtml, renderPage, redirect, type Answer } from './pages.js';
import { authenticateIntent, confirmIntent } from './payment-intents.js';
import { authenticateSetupIntent, confirmSetupIntent } from './setup-intents.js';

type Intent = Stripe.PaymentIntent | Stripe.SetupIntent;

/** Cards that a customer can choose, with their results. */
const CARDS = [
  { id: 'pm_card_visa', name: 'Visa 4242: is paid' },
  { id: 'pm_card_visa_chargeDeclined', name: 'Visa 0002: is declined' },
  { id: 'pm_card_visa_chargeDeclinedInsufficientFunds', name: 'Visa 9995: has insufficient funds' },
  { id: 'pm_card_authenticationRequired', name: 'Visa 3184: the bank asks first (3-D Secure)' },
  { id: 'pm_card_processing', name: 'Visa 1111: takes its time' },
];

const FINAL_TEXTS: Partial<Record<Intent['status'], string>> = {
  succeeded: 'Thank you, that is done.',
  processing:
    'The bank takes its time: with `npm start` half a minute, elsewhere until somebody with the secret key asks for POST /_control/finish-processing.',
  canceled: 'This was canceled. Nothing was paid.',
};

/**
 * `/pay/{id}?client_secret=…&return_url=…`: the page where a customer pays or saves a card with
 * plain forms. POST does the work and redirects to GET. GET shows the current state, or redirects
 * to `return_url` when the payment is over.
 *
 * Answers 404 if there is no such payment, or the client secret is another one.
 *
 * @param form query of a GET, body of a POST
 */
export function renderPayPage(account: FakeAccount, id: string, method: 'GET' | 'POST', form: string): Answer {
  const given = new URLSearchParams(form);
  const secret = given.get('client_secret');
  const returnUrl = returnUrlOf(given.get('return_url'));
  const intent = findIntent(account, id);
  if (!intent || secret === null || intent.client_secret !== secret) {
    return renderPage(404, 'No such payment', '<p>There is no such payment, or its secret is another one.</p>');
  }
  if (method === 'GET') return renderState(intent, secret, returnUrl);
  const problem = attempt(account, intent, given);
  const now = findIntent(account, id) ?? intent;
  if (problem !== null && FINAL_TEXTS[now.status] === undefined)
    return renderStep(now, secret, returnUrl, { status: 400, problem });
  return redirect(`/pay/${id}?${createQuery(secret, returnUrl).toString()}`);
}

const findIntent = ({ state }: FakeAccount, id: string): Intent | undefined =>
  state.find('payment_intent', id) ?? state.find('setup_intent', id);

/**
 * Reads `return_url`; null if it is not a URL of this machine, so that a link to this page cannot
 * lead to another site.
 */
function returnUrlOf(text: string | null): URL | null {
  if (text === null || !URL.canParse(text)) return null;
  const url = new URL(text);
  const isHere = ['http:', 'https:'].includes(url.protocol) && ['localhost', '127.0.0.1'].includes(url.hostname);
  return isHere && !url.username && !url.password ? url : null;
}

/**
 * Tries to confirm or authenticate a payment or a setup. Returns the reason why nothing was done,
 * or null. A declined card returns null, because the intent then contains the error.
 */
function attempt(account: FakeAccount, intent: Intent, given: URLSearchParams): string | null {
  const [card, answer] = [given.get('card'), given.get('answer')];
  const isPayment = intent.object === 'payment_intent';
  try {
    if (answer === 'approve' || answer === 'refuse') {
      const authenticate = isPayment ? authenticateIntent : authenticateSetupIntent;
      authenticate(account, intent.id, answer === 'approve');
      return null;
    }
    if (card === null || !CARDS.some(({ id }) => id === card)) return 'Choose one of these cards.';
    if (isPayment) confirmIntent(account, intent.id, { method: card });
    else confirmSetupIntent(account, intent.id, card);
    return null;
  } catch (error) {
    if (!(error instanceof StripeApiError)) throw error;
    return error.status === 402 ? null : error.message;
  }
}

function renderState(intent: Intent, secret: string, returnUrl: URL | null): Answer {
  const over = FINAL_TEXTS[intent.status];
  if (over === undefined) return renderStep(intent, secret, returnUrl, { status: 200, problem: problemOf(intent) });
  if (!returnUrl) return renderPage(200, titleOf(intent), `<p role="status">${escapeHtml(over)}</p>`);
  // Query parameters of Stripe's redirect:
  // https://docs.stripe.com/payments/payment-intents/verifying-status.
  returnUrl.searchParams.set(intent.object, intent.id);
  returnUrl.searchParams.set(`${intent.object}_client_secret`, secret);
  returnUrl.searchParams.set('redirect_status', intent.status === 'canceled' ? 'failed' : intent.status);
  return redirect(returnUrl.href);
}

const problemOf = (intent: Intent): string | null =>
  (intent.object === 'payment_intent' ? intent.last_payment_error : intent.last_setup_error)?.message ?? null;

/** Form for the next step of the customer: choose a card, or authenticate at the bank. */
function renderStep(
  intent: Intent,
  secret: string,
  returnUrl: URL | null,
  { status, problem }: { status: number; problem: string | null },
): Answer {
  const hidden = [...createQuery(secret, returnUrl)].map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}" />`,
  );
  const question =
    intent.status === 'requires_action'
      ? BANK
      : cardChoice(intent.object === 'payment_intent' ? 'Pay' : 'Save the card');
  const content = `      ${describeIntent(intent)}
      ${problem === null ? '' : `<p role="alert">${escapeHtml(problem)}</p>`}
      <form method="post" action="/pay/${escapeHtml(intent.id)}">
        ${hidden.join('\n        ')}
        ${question}
      </form>`;
  return renderPage(status, titleOf(intent), content, returnUrl?.origin);
}

function createQuery(secret: string, returnUrl: URL | null): URLSearchParams {
  return new URLSearchParams({ client_secret: secret, ...(returnUrl && { return_url: returnUrl.href }) });
}

const titleOf = ({ object }: Intent): string => (object === 'payment_intent' ? 'Pay (test)' : 'Save a card (test)');

function describeIntent(intent: Intent): string {
  const description = intent.description === null ? '' : `<p>${escapeHtml(intent.description)}</p>`;
  const what =
    intent.object === 'payment_intent'
      ? `<p class="amount">${escapeHtml(formatAmount(intent))}</p>`
      : '<p>Nothing is paid now: the card is kept for later.</p>';
  return `${what}${description}<p>This stands in for Stripe. No money moves.</p>`;
}

const BANK = `<fieldset>
          <legend>Your bank asks: is this you?</legend>
          <button name="answer" value="approve">Approve</button>
          <button name="answer" value="refuse">Refuse</button>
        </fieldset>`;

function cardChoice(action: string): string {
  const choices = CARDS.map(
    ({ id, name }, at) =>
      `<label><input type="radio" name="card" value="${id}"${at === 0 ? ' checked' : ''} required /> ${escapeHtml(name)}</label>`,
  );
  return `<fieldset>
          <legend>Test card</legend>
          ${choices.join('\n          ')}
        </fieldset>
        <button>${action}</button>`;
}
