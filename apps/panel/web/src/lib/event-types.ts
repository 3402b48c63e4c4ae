/**
 * Event types that an endpoint can receive, a copy of the platform's catalogue
 * (`libs/contracts/src/events/`, which pages cannot import).
 */
export const EVENT_TYPES: readonly string[] = [
  'api_key.created',
  'api_key.deleted',
  'app.health_changed',
  'app.status_changed',
  'automation.triggered',
  'billing.dispute_changed',
  'billing.payment_changed',
  'billing.plan_changed',
  'billing.refund_changed',
  'billing.subscription_cancelled',
  'billing.subscription_changed',
  'billing.topup_initiated',
  'chat_message',
  'confirmation.answered',
  'confirmation.created',
  'deploy.changed',
  'marketplace.app_disabled',
  'marketplace.app_enabled',
  'marketplace.app_installed',
  'marketplace.app_uninstalled',
  'marketplace.scopes_granted',
  'notification.created',
  'notification.read',
  'payout.changed',
  'review.posted',
  'session.ended',
  'session.started',
  'task_update',
  'user.created',
  'user.erased',
  'user.updated',
  'wallet.changed',
  'webhook_endpoint.disabled',
];

/** Types that contain messages to a user. They must be chosen by name, not by a wildcard. */
export const NAMED_ONLY: readonly string[] = [
  'chat_message',
  'confirmation.created',
  'notification.created',
  'task_update',
];

export interface EventGroup {
  /** First part of the types; types without a dot are in one group. */
  name: string;
  /** Wildcard for all types of the group except `NAMED_ONLY`; null if there is none. */
  all: string | null;
  types: string[];
}

/**
 * Groups event types by their first part, sorted by name; types without a dot are in one group,
 * `others`, the last.
 */
export function eventGroups(types: readonly string[] = EVENT_TYPES): EventGroup[] {
  const groups = new Map<string, string[]>();
  for (const type of types) {
    const name = type.includes('.') ? type.slice(0, type.indexOf('.')) : '';
    groups.set(name, [...(groups.get(name) ?? []), type]);
  }
  return [...groups]
    .sort(([one], [other]) => Number(one === '') - Number(other === '') || one.localeCompare(other))
    .map(([name, inside]) => ({
      name: name || 'others',
      all: name && inside.some((type) => !NAMED_ONLY.includes(type)) ? `${name}.*` : null,
      types: inside,
    }));
}
