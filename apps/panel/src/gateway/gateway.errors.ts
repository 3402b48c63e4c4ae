import { AppError } from '@platform/platform';

export const GatewayErrors = {
  /** Whatever keeps the gateway from an answer passes: nothing was decided, and the session is kept. */
  unavailable: ({ retryAfter = '1', cause }: { retryAfter?: string; cause?: unknown } = {}) =>
    new AppError(503, 'gateway_unavailable', 'The platform cannot be reached at the moment. Try again shortly.', {
      headers: { 'Retry-After': retryAfter },
      cause,
    }),
};
