import type { PlanResponse } from '@platform/client';
import { contentsOf, isSold, priceOf } from './plans.js';

const plan = (id: string, price: number, limits: Record<string, number>): PlanResponse => ({
  id,
  name: id,
  price,
  limits,
  version: 1,
  included_tokens: 30_000,
  features: {},
  interval: 'month',
  self_service: true,
});

it('says what a plan costs and brings', () => {
  const pro = plan('pro', 29, { tool_calls: 20_000, automations: 100 });
  expect([priceOf(pro), isSold(pro)]).toEqual(['$29.00 a month', true]);
  expect(contentsOf(pro)).toEqual(['30,000 credits a month', '20,000 function calls a month', '100 automations']);
});

it('does not take what is by contract for free', () => {
  const enterprise = plan('enterprise', 0, {});
  expect([priceOf(enterprise), isSold(enterprise)]).toEqual(['By contract', false]);
  expect(contentsOf(enterprise)).toEqual(['Individual limits: contact the operator of the platform']);
  expect(priceOf(plan('free', 0, {}))).toBe('Free');
});
