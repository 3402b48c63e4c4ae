/**
 * What is spent for a user without them: `unattended` by runs of schedules, events and webhooks, and by what these call; `other_apps` by apps
 * that call others while the user is there.
 */
export const SPENDING_CLASSES = ['unattended', 'other_apps'] as const;
export type SpendingClass = (typeof SPENDING_CLASSES)[number];

/** Credits in a month, until the user says otherwise. */
export const DEFAULT_SPENDING_LIMITS: Record<SpendingClass, number> = { unattended: 0, other_apps: 1_000 };
