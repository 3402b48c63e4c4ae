import { AppError } from '@platform/platform';

export const GatewayErrors = {
  /**
   * Any failure to get an answer of the gateway is temporary: nothing was decided, and the session
   * is kept.
   */
  unavailable: ({ retryAfter = '1', cause }: { retryAfter?: string; cause?: unknown } = {}) =>
    new AppError(503, 'gateway_unavailable', 'The platform cannot be reached at the moment. Try again shortly.', {
      headers: { 'Retry-After': retryAfter },
      cause,
    }),
};
