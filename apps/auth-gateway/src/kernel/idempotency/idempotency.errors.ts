import { AppError, ValidationFailed } from '@platform/platform';

const LOC = ['header', 'idempotency-key'];

export const IdempotencyErrors = {
  malformedKey: () =>
    new ValidationFailed([
      { loc: LOC, msg: 'Input should be 1 to 255 printable ASCII characters', type: 'string_pattern_mismatch' },
    ]),
  keyReused: () =>
    new AppError(
      422,
      'idempotency.key_reused',
      'This Idempotency-Key was already used for a different request. Use a new key for each request.',
    ),
  inProgress: () =>
    new AppError(
      409,
      'idempotency.in_progress',
      'The request with this Idempotency-Key is still running. Try again in 1 second.',
      {
        headers: { 'Retry-After': '1' },
      },
    ),
};
