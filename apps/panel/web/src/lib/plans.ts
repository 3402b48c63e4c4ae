import type { PlanResponse } from '@platform/client';
import { credits, wholeNumber } from './credits.js';
import { inMoney } from './money.js';

export const FREE_PLAN = 'free';

/** `$29.00 a month`. The price of a plan without one is in a contract. */
export function priceOf({ id, price, interval }: Pick<PlanResponse, 'id' | 'price' | 'interval'>): string {
  if (price === 0) return id === FREE_PLAN ? 'Free' : 'By contract';
  return `${inMoney(Math.round(price * 100))} a ${interval}`;
}

/** What one can take by oneself. */
export const isSold = ({ price }: Pick<PlanResponse, 'price'>): boolean => price > 0;

/** What it brings, in a few words each. */
export function contentsOf({ id, price, included_tokens, limits }: PlanResponse): string[] {
  if (id !== FREE_PLAN && price === 0) return ['Whatever you need: talk to those who run the platform'];
  return [
    `${credits(included_tokens)} a month`,
    limits['tool_calls'] === undefined ? 'Calls without a limit' : `${wholeNumber(limits['tool_calls'])} calls a month`,
    limits['automations'] === undefined ? 'Automations without a limit' : `${wholeNumber(limits['automations'])} automations`,
  ];
}
