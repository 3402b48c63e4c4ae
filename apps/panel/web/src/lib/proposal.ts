import type { PlanResponse, TopUpConfigResponse } from '@platform/client';
import { SMALLEST_PAYOUT } from './credits.js';

/** The credits that `?credits=` of the wallet proposes, as the command line and apps lead to it. Null without one, and for what is not sold. */
export function proposedCredits(
  query: URLSearchParams,
  { token_rate: rate, custom_min_cents: min, custom_max_cents: max }: TopUpConfigResponse,
): number | null {
  const tokens = numberIn(query, 'credits') ?? 0;
  return tokens % rate === 0 && tokens >= min * rate && tokens <= max * rate ? tokens : null;
}

/** The credits that `?credits=` of the earnings proposes to pay out. Null without one, and for what is no amount of a payout. */
export function proposedPayout(query: URLSearchParams): number | null {
  const credits = numberIn(query, 'credits');
  return credits !== null && credits >= SMALLEST_PAYOUT && credits % 10 === 0 ? credits : null;
}

/** The limit that a parameter of the wallet's address proposes: credits, null for no limit, undefined without a proposal. */
export const proposedLimit = (query: URLSearchParams, name: string): number | null | undefined =>
  query.get(name) === 'none' ? null : (numberIn(query, name) ?? undefined);

function numberIn(query: URLSearchParams, name: string): number | null {
  const text = query.get(name) ?? '';
  return /^\d{1,12}$/.test(text) ? Number(text) : null;
}

/** The plan that `?plan=` proposes. Null without one, and for what there is not. */
export const proposedPlan = (query: URLSearchParams, plans: readonly PlanResponse[]): PlanResponse | null =>
  plans.find(({ id }) => id === query.get('plan')) ?? null;
