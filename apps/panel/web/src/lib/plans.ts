import type { PlanResponse } from '@platform/client';
import { credits, wholeNumber } from './credits.js';
import { inMoney } from './money.js';

export const FREE_PLAN = 'free';

/**
 * Price of a plan, such as `$29.00 a month`; `Free` for the free plan, `By contract` for others
 * without a price.
 */
export function priceOf({ id, price, interval }: Pick<PlanResponse, 'id' | 'price' | 'interval'>): string {
  if (price === 0) return id === FREE_PLAN ? 'Free' : 'By contract';
  return `${inMoney(Math.round(price * 100))} a ${interval}`;
}

/** True if users can buy the plan themselves. */
export const isSold = ({ price }: Pick<PlanResponse, 'price'>): boolean => price > 0;

/** Short descriptions of the plan's content: credits and limits. */
export function contentsOf({ id, price, included_tokens, limits }: PlanResponse): string[] {
  if (id !== FREE_PLAN && price === 0) return ['Individual limits: contact the operator of the platform'];
  return [
    `${credits(included_tokens)} a month`,
    limits['tool_calls'] === undefined
      ? 'Unlimited function calls'
      : `${wholeNumber(limits['tool_calls'])} function calls a month`,
    limits['automations'] === undefined ? 'Unlimited automations' : `${wholeNumber(limits['automations'])} automations`,
  ];
}
