import type { PlanResponse, TopUpConfigResponse } from '@platform/client';

/** The credits that `?credits=` of the wallet proposes, as the command line and apps lead to it. Null without one, and for what is not sold. */
export function proposedCredits(
  query: URLSearchParams,
  { token_rate: rate, custom_min_cents: min, custom_max_cents: max }: TopUpConfigResponse,
): number | null {
  const text = query.get('credits') ?? '';
  const tokens = /^\d{1,12}$/.test(text) ? Number(text) : 0;
  return tokens % rate === 0 && tokens >= min * rate && tokens <= max * rate ? tokens : null;
}

/** The plan that `?plan=` proposes. Null without one, and for what there is not. */
export const proposedPlan = (query: URLSearchParams, plans: readonly PlanResponse[]): PlanResponse | null =>
  plans.find(({ id }) => id === query.get('plan')) ?? null;
