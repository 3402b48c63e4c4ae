import { credits, inDollars, signedCredits } from './credits.js';

it('writes credits as one would say them', () => {
  expect([0, 1, -1, 20_000].map(credits)).toEqual(['0 credits', '1 credit', '-1 credit', '20,000 credits']);
  expect([20, -20_000].map(signedCredits)).toEqual(['+20', '−20,000']);
  expect(inDollars(12_345)).toBe('$12.35');
});
