import { inMoney, toCents } from './money.js';

it('writes money with its cents', () => {
  expect([0, 5, 123_450].map((cents) => inMoney(cents))).toEqual(['$0.00', '$0.05', '$1,234.50']);
  expect(inMoney(500, 'eur')).toBe('€5.00');
});

it('reads dollars to the cent, and what is none not at all', () => {
  expect(['20', ' 19.99 ', '0.5', '1.15', '4.35'].map(toCents)).toEqual([2_000, 1_999, 50, 115, 435]);
  expect(['', '-5', '1.005', '1e3', 'many'].map(toCents)).toEqual(['', '-5', '1.005', '1e3', 'many']);
});
