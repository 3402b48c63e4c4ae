import type { DeployResponse, ListedAppResponse, PendingAppResponse, UninstallResult } from '@platform/client';

/** An answer without keys that platforms of before do not say. */
type Without<Answer, New extends keyof Answer> = Omit<Answer, New> & Partial<Pick<Answer, New>>;

export type ListedApp = Without<ListedAppResponse, 'waiting'>;
export type PendingApp = Without<
  PendingAppResponse,
  'served_version' | 'waits_for' | 'sha256' | 'hosts' | 'capabilities' | 'pricing_model' | 'pricing_config' | 'revenue_split_dev'
>;
export type News = Without<NonNullable<DeployResponse['waits_for']>, 'webhooks' | 'schedules'>;
export type UninstalledApp = Without<UninstallResult, 'kept_until'>;
