import { AppError, ValidationFailed } from '@platform/platform';

const LOC = ['header', 'idempotency-key'];

export const IdempotencyErrors = {
  malformedKey: () =>
    new ValidationFailed([{ loc: LOC, msg: 'Input should be 1 to 255 printable characters of ASCII', type: 'string_pattern_mismatch' }]),
  keyReused: () =>
    new AppError(422, 'idempotency.key_reused', 'Another request came with this Idempotency-Key. Send each of them with a key of its own.'),
  inProgress: () =>
    new AppError(409, 'idempotency.in_progress', 'The request with this Idempotency-Key is under way. Ask again in a moment.', {
      headers: { 'Retry-After': '1' },
    }),
};
