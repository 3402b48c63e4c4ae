import { fromNow, waitingTime } from './time.js';

const NOW = new Date('2026-11-21T12:00:00Z');

it.each([
  [-5, 'just now'],
  [20, 'in less than a minute'],
  [-180, '3 minutes ago'],
  [-7_200, '2 hours ago'],
  [-86_400, 'yesterday'],
  [5 * 86_400, 'in 5 days'],
])('says %d seconds as "%s"', (seconds, words) => {
  expect(fromNow(new Date(NOW.getTime() + seconds * 1000), NOW)).toBe(words);
});

it('names the day of what is long ago', () => {
  expect(fromNow(new Date('2026-01-15T12:00:00Z'), NOW)).toBe('Jan 15, 2026');
});

it.each([
  [1, '1 second'],
  [45, '45 seconds'],
  [90, '2 minutes'],
  [900, '15 minutes'],
  [3_600, '60 minutes'],
  [5_401, '2 hours'],
  [86_400, '24 hours'],
])('says a wait of %d seconds as "%s"', (seconds, words) => {
  expect(waitingTime(seconds)).toBe(words);
});
