import { parseRetryAfterMs, getRetryWaitMs, RETRY_WAITS_MS } from './retry-schedule.js';

it('tries for more than three days, each time up to a fifth later', () => {
  expect(RETRY_WAITS_MS.reduce((sum, wait) => sum + wait, 0)).toBeGreaterThan(72 * 3_600_000);
  for (const [at, wait] of RETRY_WAITS_MS.entries()) {
    expect([0, 0.5, 1].map((random) => getRetryWaitMs(at + 1, null, random))).toEqual(
      [wait, wait * 1.1, wait * 1.2].map(Math.round),
    );
  }
  expect(getRetryWaitMs(RETRY_WAITS_MS.length + 1, null)).toBeNull();
});

it('waits as long as it is asked, an hour at most, and never less than otherwise', () => {
  expect(getRetryWaitMs(1, 60_000)).toBe(60_000);
  expect(getRetryWaitMs(1, 86_400_000)).toBe(3_600_000);
  expect(getRetryWaitMs(4, 1_000, 0)).toBe(7_200_000);
});

it.each([
  ['120', 120_000],
  ['Sun, 06 Nov 1994 08:49:47 GMT', 10_000],
  ['Sun, 06 Nov 1994 08:00:00 GMT', 0],
  ['soon', null],
  ['99999999999', null],
  [undefined, null],
])('reads Retry-After: %s', (header, expected) => {
  expect(parseRetryAfterMs(header, Date.parse('1994-11-06T08:49:37Z'))).toBe(expected);
});
