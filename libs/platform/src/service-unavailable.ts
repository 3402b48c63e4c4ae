import { BrokenCircuitError } from 'cockatiel';
import type { ErrorCode } from './error-codes.js';
import { AppError } from './errors.js';

const RETRY_AFTER_SECONDS = 5;

const away = (code: ErrorCode, message: string) => ({ code, message: `${message} Try again in a few seconds.` });

/** What our services call, each other and providers, and what is answered to a request that needs one while it is away. */
const AWAY = {
  registry: away('registry_unavailable', 'The app registry cannot be reached at the moment.'),
  extension_host: away('extension_host_unavailable', 'Extensions cannot be run at the moment.'),
  payment_provider: away('payment_provider_unavailable', 'Payments cannot be made at the moment.'),
  gateway: away('gateway_unavailable', 'The platform cannot look this up at the moment.'),
};

export type CalledService = keyof typeof AWAY;

/** A service cannot be reached, is too slow, or fails. What has a copy answers from it; whatever lets this pass answers 503. */
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

/** Whether a call was refused without being made, after failures in a row: then others fail as well for a while. */
export const isCircuitOpen = (error: unknown): boolean => error instanceof ServiceUnavailable && error.cause instanceof BrokenCircuitError;

/** Whether something failed because this service is away. */
export const isUnavailable = (error: unknown, service: CalledService): error is ServiceUnavailable =>
  error instanceof ServiceUnavailable && error.service === service;
