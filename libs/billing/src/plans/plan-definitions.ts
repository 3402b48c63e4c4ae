import type { PlanFeature, PlanLimit } from './plan.entity.js';

/** Plan of every user without another plan. */
export const FREE_PLAN = 'free';

export interface PlanDefinition {
  id: string;
  name: string;
  /** Null if a contract sets the price. */
  price_cents: number | null;
  included_tokens: number;
  features: Record<PlanFeature, boolean>;
  limits: Partial<Record<PlanLimit, number>>;
  rank: number;
  self_service: boolean;
}

const NO_FEATURES = { voice: false, connectors: false, coding: false, connections: false, file_reader: false };
const ALL_FEATURES = { voice: true, connectors: true, coding: true, connections: true, file_reader: true };

/**
 * Plans of the platform. A changed definition becomes a new version when the platform is next
 * seeded. Subscriptions keep the version with which they began.
 *
 * Clients offer `pro` and `business` (`self_service`). A checkout also sells `starter`.
 * `enterprise` is sold by contract, and users without another plan have `free`.
 */
export const PLAN_DEFINITIONS: readonly PlanDefinition[] = [
  {
    id: FREE_PLAN,
    name: 'Free',
    price_cents: 0,
    included_tokens: 1_000,
    features: { ...NO_FEATURES, file_reader: true },
    limits: { tool_calls: 500, automations: 10 },
    rank: 0,
    self_service: false,
  },
  {
    id: 'starter',
    name: 'Starter',
    price_cents: 900,
    included_tokens: 9_000,
    features: { ...NO_FEATURES, file_reader: true, connections: true },
    limits: { tool_calls: 5_000, automations: 25 },
    rank: 1,
    self_service: false,
  },
  {
    id: 'pro',
    name: 'Pro',
    price_cents: 2_900,
    included_tokens: 30_000,
    features: ALL_FEATURES,
    limits: { tool_calls: 20_000, automations: 100 },
    rank: 2,
    self_service: true,
  },
  {
    id: 'business',
    name: 'Business',
    price_cents: 9_900,
    included_tokens: 110_000,
    features: ALL_FEATURES,
    limits: { tool_calls: 100_000, automations: 500 },
    rank: 3,
    self_service: true,
  },
  {
    id: 'enterprise',
    name: 'Enterprise',
    price_cents: null,
    included_tokens: 0,
    features: ALL_FEATURES,
    limits: {},
    rank: 4,
    self_service: false,
  },
];
