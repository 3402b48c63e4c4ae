import type { TopUpConfigResponse } from '@platform/client';
import { proposedCredits } from './proposal.js';

const OFFER = { token_rate: 10, custom_min_cents: 50, custom_max_cents: 100_000 } as TopUpConfigResponse;

it.each([
  ['credits=10000', 10_000],
  ['credits=500', 500],
  ['credits=1000000', 1_000_000],
  ['', null],
  ['credits=', null],
  ['credits=490', null],
  ['credits=1000010', null],
  ['credits=10005', null],
  ['credits=-500', null],
  ['credits=1e4', null],
  ['credits=9999999999999999', null],
  ['credits=%3Cb%3E', null],
])('?%s proposes %s credits', (query, credits) => {
  expect(proposedCredits(new URLSearchParams(query), OFFER)).toBe(credits);
});
