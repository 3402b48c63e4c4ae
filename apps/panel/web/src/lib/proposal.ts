import type { PlanResponse, TopUpConfigResponse } from '@platform/client';
import { SMALLEST_PAYOUT } from './credits.js';

/**
 * Number of credits in `?credits=` of the wallet page, from links of the command line and apps.
 * Null if missing or not for sale: not a whole number of cents, or outside of the least and highest
 * price.
 */
export function proposedCredits(
  query: URLSearchParams,
  { token_rate: rate, custom_min_cents: min, custom_max_cents: max }: TopUpConfigResponse,
): number | null {
  const tokens = numberIn(query, 'credits') ?? 0;
  return tokens % rate === 0 && tokens >= min * rate && tokens <= max * rate ? tokens : null;
}

/**
 * Payout amount in `?credits=` of the earnings page. Null if missing, below the smallest payout or
 * no multiple of 10.
 */
export function proposedPayout(query: URLSearchParams): number | null {
  const credits = numberIn(query, 'credits');
  return credits !== null && credits >= SMALLEST_PAYOUT && credits % 10 === 0 ? credits : null;
}

/**
 * Limit in a query parameter of the wallet page: credits, null for no limit (`none`), undefined if
 * missing or no whole number.
 */
export const proposedLimit = (query: URLSearchParams, name: string): number | null | undefined =>
  query.get(name) === 'none' ? null : (numberIn(query, name) ?? undefined);

function numberIn(query: URLSearchParams, name: string): number | null {
  const text = query.get(name) ?? '';
  return /^\d{1,12}$/.test(text) ? Number(text) : null;
}

/** Plan in `?plan=`. Null if missing or unknown. */
export const proposedPlan = (query: URLSearchParams, plans: readonly PlanResponse[]): PlanResponse | null =>
  plans.find(({ id }) => id === query.get('plan')) ?? null;
