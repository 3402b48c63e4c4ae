import type {
  DeployResponse,
  InstalledExtension,
  ListedAppResponse,
  MarketplaceAppDetail,
  PendingAppResponse,
  UninstallResult,
} from '@platform/client';

/** An answer in which keys are optional that older platforms do not send. */
type Without<Answer, New extends keyof Answer> = Omit<Answer, New> & Partial<Pick<Answer, New>>;

export type ListedApp = Without<ListedAppResponse, 'waiting'>;
export type PendingApp = Without<
  PendingAppResponse,
  'served_version' | 'waits_for' | 'sha256' | 'hosts' | 'capabilities' | 'pricing_model' | 'pricing_config' | 'revenue_split_dev'
>;
export type News = Without<NonNullable<DeployResponse['waits_for']>, 'webhooks' | 'schedules'>;
/** Older platforms refuse `price_version` in an install request. */
export type MarketplaceListing = Without<MarketplaceAppDetail, 'price_version'>;
export type OwnExtension = Without<InstalledExtension, 'price_version' | 'agreed_price_version'>;
export type UninstalledApp = Without<UninstallResult, 'kept_until'>;
