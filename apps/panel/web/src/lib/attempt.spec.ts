import { ApiError, ConnectionError } from '@platform/client';
import { Attempt } from './attempt.js';

const refusal = (status: number, code = 'x') => new ApiError('No.', { status, code });

const lost = new ConnectionError('timeout', 'No.');

it('has one key for the same thing until it is answered, and another for another thing', () => {
  const attempt = new Attempt();
  const keyOf = (body: unknown, error: Error | null) => {
    const key = attempt.begin(body);
    attempt.answered(error);
    return key;
  };
  const first = keyOf({ tokens: 10 }, lost);
  expect(first).toEqual(expect.any(String));
  expect(keyOf({ tokens: 10 }, lost)).toBe(first);
  expect(keyOf({ tokens: 20 }, lost)).not.toBe(first);
  const again = keyOf({ tokens: 10 }, null);
  expect(keyOf({ tokens: 10 }, null)).not.toBe(again);
});

it('is one at a time', () => {
  const attempt = new Attempt();
  expect(attempt.begin({})).not.toBeNull();
  expect(attempt.begin({})).toBeNull();
  attempt.answered(lost);
  expect(attempt.begin({})).not.toBeNull();
});

it.each([
  ['an answer that was lost', lost, true],
  ['a provider that is away', refusal(503), true],
  ['one that is under way', refusal(409, 'idempotency.in_progress'), true],
  ['a session that has ended', refusal(401), true],
  ['a card that was declined', refusal(402, 'payment.declined'), false],
  ['another price', refusal(400), false],
])('after %s keeps it: %s', (_what, error, isKept) => {
  const attempt = new Attempt();
  const key = attempt.begin({});
  attempt.answered(error);
  expect(attempt.begin({}) === key).toBe(isKept);
});
