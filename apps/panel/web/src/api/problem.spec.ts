import { ApiError, ConnectionError } from '@platform/client';
import { toProblem } from './problem.js';

const refusal = (status: number, code: string, retryAfterSeconds?: number) =>
  new ApiError('No.', { status, code, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) });
const invalid = (...issues: [name: string, type: string, msg: string][]) =>
  new ApiError('No.', {
    status: 422,
    code: 'validation_failed',
    issues: issues.map(([name, type, msg]) => ({ loc: ['body', name], type, msg })),
  });

it('puts what is wrong at its field, in words for a person, and beside the form what has no field there', () => {
  const error = invalid(
    ['email', 'value_error', 'value is not a valid email address'],
    ['password', 'string_too_short', 'String should have at least 12 characters'],
    ['password', 'password_common', 'This password is too common. Choose another one'],
    ['token', 'string_too_long', 'String should have at most 2048 characters'],
    ['name', 'missing', 'Field required'],
  );
  expect(toProblem(error, ['email', 'password'])).toEqual({
    kind: 'fields',
    fields: { email: 'Enter an e-mail address such as ada@example.com.', password: 'Use at least 12 characters.' },
    other: ['Use at most 2048 characters.', 'This field is required.'],
  });
});

it('says how long to wait', () => {
  expect(toProblem(refusal(429, 'rate_limited', 17))).toEqual({ kind: 'wait', seconds: 17 });
  expect(toProblem(refusal(429, 'rate_limited', 0))).toEqual({ kind: 'wait', seconds: 1 });
  expect(toProblem(refusal(429, 'rate_limited'))).toEqual({ kind: 'wait', seconds: 30 });
});

it.each([
  new ConnectionError('unreachable', 'No.'),
  new ConnectionError('not_the_platform', 'No.'),
  refusal(500, 'internal_error'),
  refusal(503, 'gateway_unavailable', 1),
])('takes what passes for that: %p', (error) => {
  expect(toProblem(error)).toEqual({ kind: 'unavailable' });
});

it('shows what the platform said of what it refuses', () => {
  expect(toProblem(refusal(403, 'account_disabled'))).toEqual({
    kind: 'refused',
    code: 'account_disabled',
    message: 'No.',
  });
});

it('says in words of the panel what the platform says with routes of the API', () => {
  expect(toProblem(new ApiError('POST /v1/x.', { status: 409, code: 'payment_method.last_of_plan' }))).toMatchObject({
    message: 'This card pays for your plan. Add another card first, or cancel the plan under Subscription.',
  });
  expect(toProblem(refusal(503, 'payment_provider_unavailable', 5))).toMatchObject({ kind: 'refused' });
  expect(toProblem(refusal(429, 'payment.too_many_declines', 3_600))).toMatchObject({ kind: 'refused' });
});

it('does not blame the platform for a mistake of the page', () => {
  expect(toProblem(new TypeError('x is undefined'))).toMatchObject({ kind: 'refused', code: 'unexpected' });
});
