import { duration, minutesAndSeconds, moment, parseExpiry } from './times.js';

const NOW = Date.parse('2026-11-03T12:00:00Z');

beforeEach(() => {
  jest.useFakeTimers({ now: NOW });
});
afterEach(() => {
  jest.useRealTimers();
});

describe('an expiry', () => {
  it.each([
    ['12h', '2026-11-04T00:00:00.000Z'],
    ['90d', '2027-02-01T12:00:00.000Z'],
    ['4w', '2026-12-01T12:00:00.000Z'],
    ['2027-01-31', '2027-01-31T00:00:00.000Z'],
    ['2027-01-31T08:00+02:00', '2027-01-31T06:00:00.000Z'],
  ])('%s ends at %s', (text, at) => {
    expect(parseExpiry(text)).toBe(at);
  });

  it.each([
    '',
    '90',
    'd',
    '90x',
    '-1d',
    '1.5d',
    '999999d',
    'tomorrow',
    '2027',
    '2027-02-31x',
    '2027-13-01',
    '2027-02-30',
    '2027-02-30T10:00',
  ])('%j is refused', (text) => {
    expect(() => parseExpiry(text)).toThrow('Use a duration such as');
  });

  it.each(['0d', '2026-11-03'])('%s is refused, since it is over', (text) => {
    expect(() => parseExpiry(text)).toThrow('in the future');
  });
});

it.each([
  [600_000, '10:00'],
  [545_001, '9:06'],
  [999, '0:01'],
  [-5, '0:00'],
])('%i ms are %s', (ms, text) => {
  expect(minutesAndSeconds(ms)).toBe(text);
});

it.each([
  [7, '7 s'],
  [119, '119 s'],
  [120, '2 minutes'],
  [7_199, '120 minutes'],
  [7_201, '3 hours'],
  [172_800, '2 days'],
  [2_591_626, '30 days'],
])('%i s are %s', (seconds, text) => {
  expect(duration(seconds)).toBe(text);
});

it('shows a moment in local time', () => {
  expect(moment(new Date(2026, 0, 2, 3, 4).toISOString())).toBe('2026-01-02 03:04');
  expect(moment(null)).toBe('-');
});
