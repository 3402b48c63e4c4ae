import { cardExpiry, cardName, hasExpired } from './cards.js';

it('names a card', () => {
  expect(cardName({ brand: 'visa', last4: '4242' })).toBe('Visa ending in 4242');
  expect(cardName({ brand: 'unknown', last4: '1111' })).toBe('Card ending in 1111');
  expect(cardExpiry({ exp_month: 4, exp_year: 2029 })).toBe('04/2029');
});

it('takes a card until the end of its month', () => {
  const now = new Date(2026, 10, 27);
  expect(hasExpired({ exp_month: 11, exp_year: 2026 }, now)).toBe(false);
  expect(hasExpired({ exp_month: 10, exp_year: 2026 }, now)).toBe(true);
  expect(hasExpired({ exp_month: 12, exp_year: 2025 }, now)).toBe(true);
});
