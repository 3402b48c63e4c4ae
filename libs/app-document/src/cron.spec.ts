import { daysLeftOut, lastTime, nextTime } from './cron.js';

const at = (text: string) => new Date(`2026-11-22T${text}Z`);

describe('the times of a schedule', () => {
  it.each([
    ['* * * * *', '10:00:00', '10:01:00'],
    ['* * * * *', '10:00:59.999', '10:01:00'],
    ['*/15 * * * *', '10:14:59', '10:15:00'],
    ['30 9 * * 0', '09:29:30', '09:30:00'],
  ])('of %s after %s is next %s, in UTC', (cron, after, next) => {
    expect(nextTime(cron, at(after))).toEqual(at(next));
  });

  it.each([
    ['* * * * *', '10:00:00', '10:00:00'],
    ['* * * * *', '10:00:00.500', '10:00:00'],
    ['* * * * *', '09:59:59.999', '09:59:00'],
    ['*/15 * * * *', '10:14:59', '10:00:00'],
  ])('of %s up to %s is last %s', (cron, upTo, last) => {
    expect(lastTime(cron, at(upTo))).toEqual(at(last));
  });

  it('may never come', () => {
    expect(nextTime('0 0 31 2 *', at('10:00:00'))).toBeNull();
    expect(lastTime('0 0 31 2 *', at('10:00:00'))).toBeNull();
  });
});

it.each<[string, number[]]>([
  ['0 9 31 * *', [31]],
  ['0 9 1,31,29 * *', [29, 31]],
  ['0 9 28 * *', []],
  ['0 9 31 1,3,12 *', []],
  ['0 9 31 1,4 *', [31]],
  ['0 9 30 2 *', [30]],
  ['0 9 29 2 *', [29]],
  ['0 9 * * *', []],
  ['0 9 */31 * *', []],
  ['0 9 25-31 * *', []],
])('%s leaves out the days %j of some months', (cron, days) => expect(daysLeftOut(cron)).toEqual(days));
