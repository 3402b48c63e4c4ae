import type Stripe from 'stripe';
import type { FakeAccount } from './account.js';
import { requireCustomerInPath, readCustomerFilter, requirePaymentMethod } from './account.js';
import { createInvalidError, createMissingError, StripeApiError } from './stripe-api-error.js';
import { BALANCE, findBalanceTransaction, listBalance } from './balance.js';
import { createCustomer, CUSTOMER, deleteCustomer, updateCustomer } from './customers.js';
import { DISPUTES, findDispute, listDisputes } from './disputes.js';
import { listEvents, EVENTS } from './events.js';
import type { ClientKind } from './keys.js';
import { CREATED_PARAMETERS, PAGE_PARAMETERS, paginate, filterByCreated } from './lists.js';
import {
  readFlag,
  readParameters,
  readRequiredText,
  readText,
  readTexts,
  type KnownParameters,
  type Parameters,
} from './parameters.js';
import {
  cancelIntent,
  CONFIRMATION,
  confirmIntent,
  createIntent,
  findIntent,
  PAYMENT_INTENT,
} from './payment-intents.js';
import { attachPaymentMethod, detachPaymentMethod, listPaymentMethods } from './payment-methods.js';
import { createPortalSession, PORTAL_SESSION } from './portal.js';
import { createRefund, REFUND } from './refunds.js';
import {
  cancelSetupIntent,
  confirmSetupIntent,
  createSetupIntent,
  findSetupIntent,
  SETUP_INTENT,
} from './setup-intents.js';
import type { Kind } from './fake-stripe-state.js';
import { createTaxId, deleteTaxId, findTaxId, TAX_ID, listTaxIds } from './tax-ids.js';

interface Route {
  method: 'GET' | 'POST' | 'DELETE';
  path: RegExp;
  known: KnownParameters;
  /** True if browsers can call it with a `client_secret`. */
  isPublic?: true;
  /** `id` is the first id in the path, `partId` the second. */
  run: (account: FakeAccount, given: Parameters, id: string, partId: string) => object;
}

const ROUTES: Route[] = [
  { method: 'POST', path: /^\/v1\/customers$/, known: CUSTOMER, run: createCustomer },
  {
    method: 'GET',
    path: /^\/v1\/customers\/(\w+)$/,
    known: {},
    run: ({ state }, _given, id) => state.find('customer', id) ?? notFound('customer', id),
  },
  {
    method: 'POST',
    path: /^\/v1\/customers\/(\w+)$/,
    known: CUSTOMER,
    run: (account, given, id) => updateCustomer(account, id, given),
  },
  {
    method: 'DELETE',
    path: /^\/v1\/customers\/(\w+)$/,
    known: {},
    run: (account, _given, id) => deleteCustomer(account, id),
  },
  {
    method: 'GET',
    path: /^\/v1\/customers\/(\w+)\/payment_methods$/,
    known: { ...PAGE_PARAMETERS, type: true },
    run: (account, given, id) =>
      paginate(
        listPaymentMethods(account, requireCustomerInPath(account, id).id),
        given,
        `/v1/customers/${id}/payment_methods`,
      ),
  },
  {
    method: 'POST',
    path: /^\/v1\/customers\/(\w+)\/tax_ids$/,
    known: TAX_ID,
    run: (account, given, id) => createTaxId(account, id, given),
  },
  {
    method: 'GET',
    path: /^\/v1\/customers\/(\w+)\/tax_ids$/,
    known: PAGE_PARAMETERS,
    run: (account, given, id) => paginate(listTaxIds(account, id), given, `/v1/customers/${id}/tax_ids`),
  },
  {
    method: 'GET',
    path: /^\/v1\/customers\/(\w+)\/tax_ids\/(\w+)$/,
    known: {},
    run: (account, _given, id, partId) => findTaxId(account, id, partId),
  },
  {
    method: 'DELETE',
    path: /^\/v1\/customers\/(\w+)\/tax_ids\/(\w+)$/,
    known: {},
    run: (account, _given, id, partId) => deleteTaxId(account, id, partId),
  },
  { method: 'POST', path: /^\/v1\/billing_portal\/sessions$/, known: PORTAL_SESSION, run: createPortalSession },
  {
    method: 'GET',
    path: /^\/v1\/payment_methods\/(\w+)$/,
    known: {},
    run: (account, _given, id) => requirePaymentMethod(account, id),
  },
  {
    method: 'POST',
    path: /^\/v1\/payment_methods\/(\w+)\/attach$/,
    known: { customer: true },
    run: (account, given, id) => attachPaymentMethod(account, id, readRequiredText(given, 'customer')),
  },
  {
    method: 'POST',
    path: /^\/v1\/payment_methods\/(\w+)\/detach$/,
    known: {},
    run: (account, _given, id) => detachPaymentMethod(account, id),
  },
  {
    method: 'POST',
    path: /^\/v1\/payment_intents$/,
    known: PAYMENT_INTENT,
    run: (account, given) => expanded(account, createIntent(account, given), given),
  },
  {
    method: 'GET',
    path: /^\/v1\/payment_intents$/,
    known: { ...PAGE_PARAMETERS, customer: true, created: CREATED_PARAMETERS },
    run: (account, given) => {
      const customer = readCustomerFilter(account, readText(given, 'customer'));
      const found = account.state
        .list('payment_intent')
        .filter((one) => customer === null || one.customer === customer);
      return paginate(filterByCreated(found, given), given, '/v1/payment_intents');
    },
  },
  {
    method: 'GET',
    path: /^\/v1\/payment_intents\/(\w+)$/,
    known: { client_secret: true, expand: '*' },
    isPublic: true,
    run: (account, given, id) => expanded(account, findIntent(account, id), given),
  },
  {
    method: 'POST',
    path: /^\/v1\/payment_intents\/(\w+)\/confirm$/,
    known: CONFIRMATION,
    isPublic: true,
    run: (account, given, id) =>
      expanded(
        account,
        confirmIntent(account, id, {
          method: readText(given, 'payment_method'),
          offSession: readFlag(given, 'off_session'),
        }),
        given,
      ),
  },
  {
    method: 'POST',
    path: /^\/v1\/payment_intents\/(\w+)\/cancel$/,
    known: { cancellation_reason: true, expand: '*' },
    run: (account, given, id) => expanded(account, cancelIntent(account, id, given), given),
  },
  { method: 'POST', path: /^\/v1\/setup_intents$/, known: SETUP_INTENT, run: createSetupIntent },
  {
    method: 'GET',
    path: /^\/v1\/setup_intents$/,
    known: { ...PAGE_PARAMETERS, customer: true, created: CREATED_PARAMETERS },
    run: (account, given) => {
      const customer = readCustomerFilter(account, readText(given, 'customer'));
      const found = account.state.list('setup_intent').filter((one) => customer === null || one.customer === customer);
      return paginate(filterByCreated(found, given), given, '/v1/setup_intents');
    },
  },
  {
    method: 'POST',
    path: /^\/v1\/setup_intents\/(\w+)\/cancel$/,
    known: { cancellation_reason: true },
    run: (account, _given, id) => cancelSetupIntent(account, id),
  },
  {
    method: 'GET',
    path: /^\/v1\/setup_intents\/(\w+)$/,
    known: { client_secret: true },
    isPublic: true,
    run: (account, _given, id) => findSetupIntent(account, id),
  },
  {
    method: 'POST',
    path: /^\/v1\/setup_intents\/(\w+)\/confirm$/,
    known: { payment_method: true, client_secret: true, return_url: true },
    isPublic: true,
    run: (account, given, id) => confirmSetupIntent(account, id, readRequiredText(given, 'payment_method')),
  },
  { method: 'POST', path: /^\/v1\/refunds$/, known: REFUND, run: createRefund },
  {
    method: 'GET',
    path: /^\/v1\/refunds$/,
    known: { ...PAGE_PARAMETERS, payment_intent: true, created: CREATED_PARAMETERS },
    run: ({ state }, given) => {
      const intent = readText(given, 'payment_intent');
      const found = state.list('refund').filter((one) => intent === undefined || one.payment_intent === intent);
      return paginate(filterByCreated(found, given), given, '/v1/refunds');
    },
  },
  {
    method: 'GET',
    path: /^\/v1\/refunds\/(\w+)$/,
    known: {},
    run: ({ state }, _given, id) => state.find('refund', id) ?? notFound('refund', id),
  },
  {
    method: 'GET',
    path: /^\/v1\/charges\/(\w+)$/,
    known: {},
    run: ({ state }, _given, id) => state.find('charge', id) ?? notFound('charge', id),
  },
  {
    method: 'GET',
    path: /^\/v1\/disputes$/,
    known: { ...PAGE_PARAMETERS, ...DISPUTES, created: CREATED_PARAMETERS },
    run: (account, given) => paginate(filterByCreated(listDisputes(account, given), given), given, '/v1/disputes'),
  },
  { method: 'GET', path: /^\/v1\/disputes\/(\w+)$/, known: {}, run: (account, _given, id) => findDispute(account, id) },
  {
    method: 'GET',
    path: /^\/v1\/balance_transactions$/,
    known: { ...PAGE_PARAMETERS, ...BALANCE, created: CREATED_PARAMETERS, expand: '*' },
    run: (account, given) => {
      const page = paginate(filterByCreated(listBalance(account, given), given), given, '/v1/balance_transactions');
      return { ...page, data: page.data.map((row) => withSource(account, row, given)) };
    },
  },
  {
    method: 'GET',
    path: /^\/v1\/balance_transactions\/(\w+)$/,
    known: {},
    run: (account, _given, id) => findBalanceTransaction(account, id),
  },
  {
    method: 'GET',
    path: /^\/v1\/events$/,
    known: { ...PAGE_PARAMETERS, ...EVENTS, created: CREATED_PARAMETERS },
    run: (account, given) => paginate(filterByCreated(listEvents(account, given), given), given, '/v1/events'),
  },
  {
    method: 'GET',
    path: /^\/v1\/events\/(\w+)$/,
    known: {},
    run: ({ state }, _given, id) => state.find('event', id) ?? notFound('event', id),
  },
];

/**
 * Validates a request, and returns a function that does its work. The function throws
 * StripeApiError if the work is refused, or the client secret of a browser is another one.
 *
 * @throws StripeApiError 404 for an unknown route, 400 for an unknown parameter, 403 if a browser
 * calls a route of the seller
 */
export function findRoute(
  method: string,
  path: string,
  form: string,
  asker: ClientKind,
): (account: FakeAccount) => object {
  for (const route of ROUTES) {
    const match = route.method === method ? route.path.exec(path) : null;
    if (!match) continue;
    if (asker === 'browser' && !route.isPublic) throw forbidden();
    const given = readParameters(form, route.known);
    const [, id = '', partId = ''] = match;
    return (account) => {
      if (asker === 'browser') assertSecret(account, id, readText(given, 'client_secret'));
      return route.run(account, given, id, partId);
    };
  }
  throw new StripeApiError(404, {
    type: 'invalid_request_error',
    message: `Unrecognized request URL (${method}: ${path}).`,
  });
}

/**
 * Checks that a browser knows the client secret of the intent.
 *
 * @throws StripeApiError 404 if it does not, or there is no such intent
 */
function assertSecret({ state }: FakeAccount, id: string, secret: string | undefined): void {
  const intent = state.find('payment_intent', id) ?? state.find('setup_intent', id);
  if (!intent || secret === undefined || intent.client_secret !== secret)
    throw createMissingError('payment_intent', id, 'intent');
}

const forbidden = (): StripeApiError =>
  new StripeApiError(403, {
    type: 'invalid_request_error',
    code: 'secret_key_required',
    message: 'This API call cannot be made with a publishable API key. Please use a secret API key.',
  });

function notFound(what: Kind, id: string): never {
  throw createMissingError(what, id);
}

function withSource({ state }: FakeAccount, row: Stripe.BalanceTransaction, given: Parameters): object {
  const names = readTexts(given, 'expand') ?? [];
  if (names.some((name) => name !== 'data.source'))
    throw createInvalidError('This property cannot be expanded.', 'expand');
  if (!names.length || typeof row.source !== 'string') return row;
  const { source } = row;
  return {
    ...row,
    source: state.find('charge', source) ?? state.find('refund', source) ?? state.find('dispute', source) ?? source,
  };
}

/**
 * Returns a payment with its charge in `latest_charge` if `expand` names it; otherwise unchanged.
 * This fake expands no other field.
 *
 * @throws StripeApiError 400 if `expand` names another field
 */
function expanded(account: FakeAccount, intent: { latest_charge: unknown }, given: Parameters): object {
  const names = readTexts(given, 'expand') ?? [];
  if (names.some((name) => name !== 'latest_charge'))
    throw createInvalidError('This property cannot be expanded.', 'expand');
  if (!names.length || typeof intent.latest_charge !== 'string') return intent;
  return { ...intent, latest_charge: account.state.find('charge', intent.latest_charge) };
}
