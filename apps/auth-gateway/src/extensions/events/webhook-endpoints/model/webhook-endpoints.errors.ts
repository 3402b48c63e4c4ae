import { MOST_WEBHOOK_ENDPOINTS } from '@platform/contracts';
import { AppError, Errors, ValidationFailed } from '@platform/platform';

export const WebhookEndpointErrors = {
  notFound: () => new AppError(404, 'webhook_endpoint.not_found', 'There is no such webhook endpoint.'),
  deliveryNotFound: () => new AppError(404, 'webhook_endpoint.delivery_not_found', 'There is no such delivery to this endpoint.'),
  tooMany: () => new AppError(409, 'webhook_endpoint.too_many', `A tenant has at most ${MOST_WEBHOOK_ENDPOINTS} webhook endpoints.`),
  disabled: () => new AppError(409, 'webhook_endpoint.disabled', 'The endpoint is disabled. Enable it first.'),
  pending: () => new AppError(409, 'webhook_endpoint.delivery_pending', 'The delivery is under way.'),
  backlogFull: () =>
    new AppError(409, 'webhook_endpoint.backlog_full', 'Too many deliveries wait for the endpoint. Try again when some have ended.'),
  allTenants: () =>
    new AppError(
      403,
      'webhook_endpoint.all_tenants',
      "Only the platform's own administrators have events of all tenants sent, to endpoints of its own tenant.",
    ),
  keyRefused: () =>
    new AppError(
      403,
      'webhook_endpoint.key_refused',
      'API keys may look at webhook endpoints; changing them takes a session, or a backend.',
    ),
  replaying: () =>
    Errors.limited('webhook_endpoint.replaying', 'Events of this tenant are being sent again. Go on when that has ended.', 1),
  urlRefused: (why: string) => new ValidationFailed([{ loc: ['body', 'url'], msg: why, type: 'value_error' }]),
  timesRefused: (loc: string, why: string) => new ValidationFailed([{ loc: ['body', loc], msg: why, type: 'value_error' }]),
};
