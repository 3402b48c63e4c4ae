import { BrokenCircuitError } from 'cockatiel';
import type { ErrorCode } from './error-codes.js';
import { AppError } from './errors.js';

const RETRY_AFTER_SECONDS = 5;

const away = (code: ErrorCode, message: string) => ({ code, message: `${message} Try again in a few seconds.` });

/**
 * Services and providers that our services call, with the error for a request that needs one during
 * an outage.
 */
const AWAY = {
  registry: away('registry_unavailable', 'The app registry cannot be reached at the moment.'),
  extension_host: away('extension_host_unavailable', 'Extensions cannot be run at the moment.'),
  payment_provider: away('payment_provider_unavailable', 'Payments cannot be made at the moment.'),
  gateway: away('gateway_unavailable', 'The platform cannot look this up at the moment.'),
};

export type CalledService = keyof typeof AWAY;

/**
 * A service is unreachable, too slow, or fails. Code that has a copy of the data answers from the
 * copy; if the error is not caught, the request answers 503 with the code of the service, such as
 * `registry_unavailable`.
 */
export class ServiceUnavailable extends AppError {
  override name = 'ServiceUnavailable';

  constructor(
    readonly service: CalledService,
    cause: unknown,
  ) {
    const { code, message } = AWAY[service];
    super(503, code, message, { headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) }, cause });
  }
}

/**
 * True if a call was refused without an attempt, because earlier calls failed five times in a row.
 * Other calls of this service will fail for a while too.
 */
export const isCircuitOpen = (error: unknown): boolean =>
  error instanceof ServiceUnavailable && error.cause instanceof BrokenCircuitError;

/** True if the error means that this service is unavailable. */
export const isUnavailable = (error: unknown, service: CalledService): error is ServiceUnavailable =>
  error instanceof ServiceUnavailable && error.service === service;
