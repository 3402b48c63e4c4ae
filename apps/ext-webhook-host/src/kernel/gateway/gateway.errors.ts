import { AppError } from '@platform/platform';

const RETRY_AFTER_SECONDS = 5;

/** The gateway cannot be reached, is too slow, or fails. What has a copy answers from it; whatever lets this pass answers 503. */
export class GatewayUnavailable extends AppError {
  override name = 'GatewayUnavailable';

  constructor(cause: unknown) {
    super(503, 'gateway_unavailable', 'The platform cannot look this up at the moment. Try again in a few seconds.', {
      headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
      cause,
    });
  }
}
