import { MOST_WEBHOOK_ENDPOINTS } from '@platform/contracts';
import { AppError, Errors, ValidationFailed } from '@platform/platform';

export const WebhookEndpointErrors = {
  notFound: () => new AppError(404, 'webhook_endpoint.not_found', 'There is no such webhook endpoint.'),
  deliveryNotFound: () =>
    new AppError(404, 'webhook_endpoint.delivery_not_found', 'There is no such delivery to this endpoint.'),
  tooMany: () =>
    new AppError(409, 'webhook_endpoint.too_many', `A tenant has at most ${MOST_WEBHOOK_ENDPOINTS} webhook endpoints.`),
  disabled: () => new AppError(409, 'webhook_endpoint.disabled', 'The endpoint is disabled. Enable it first.'),
  pending: () =>
    new AppError(
      409,
      'webhook_endpoint.delivery_pending',
      'The delivery is still being tried. Wait until it has arrived or failed.',
    ),
  backlogFull: () =>
    new AppError(
      409,
      'webhook_endpoint.backlog_full',
      'Too many deliveries wait for the endpoint. Try again when some have finished.',
    ),
  allTenants: () =>
    new AppError(
      403,
      'webhook_endpoint.all_tenants',
      "Only administrators of the platform can create an endpoint for events of all tenants, and only in the platform's own tenant.",
    ),
  keyRefused: () =>
    new AppError(
      403,
      'webhook_endpoint.key_refused',
      'API keys can only read webhook endpoints. Sign in to change them, or use a service token.',
    ),
  replaying: () =>
    Errors.limited(
      'webhook_endpoint.replaying',
      'Another replay of events is running for this tenant. Try again when it has finished.',
      1,
    ),
  urlRefused: (why: string) => new ValidationFailed([{ loc: ['body', 'url'], msg: why, type: 'value_error' }]),
  timesRefused: (loc: string, why: string) =>
    new ValidationFailed([{ loc: ['body', loc], msg: why, type: 'value_error' }]),
};
