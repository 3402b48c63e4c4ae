/**
 * Classes of spending without the user. `unattended`: runs of schedules, events and webhooks, and
 * calls that these start. `other_apps`: apps that call other apps while the user is present.
 */
export const SPENDING_CLASSES = ['unattended', 'other_apps'] as const;
export type SpendingClass = (typeof SPENDING_CLASSES)[number];

/** Credits in a month, until the user sets a limit. */
export const DEFAULT_SPENDING_LIMITS: Record<SpendingClass, number> = { unattended: 0, other_apps: 1_000 };
