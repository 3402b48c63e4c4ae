import type { TopUpConfigResponse } from '@platform/client';
import { proposedCredits, proposedLimit, proposedPayout } from './proposal.js';

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

it.each([
  ['credits=20000', 20_000],
  ['credits=10000', 10_000],
  ['credits=9990', null],
  ['credits=10005', null],
  ['credits=-20000', null],
  ['', null],
])('?%s proposes a payout of %s credits', (query, credits) => {
  expect(proposedPayout(new URLSearchParams(query))).toBe(credits);
});

it.each([
  ['unattended_limit=500', 500],
  ['unattended_limit=0', 0],
  ['unattended_limit=none', null],
  ['unattended_limit=', undefined],
  ['unattended_limit=-1', undefined],
  ['other_apps_limit=5', undefined],
])('?%s proposes the limit %s', (query, limit) => {
  expect(proposedLimit(new URLSearchParams(query), 'unattended_limit')).toBe(limit);
});
