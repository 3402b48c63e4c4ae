import type { AppResponse } from '@platform/contracts';
import type { App } from './app.entity.js';

/**
 * All columns that responses show. The icon (`iconSvg`) is not one of them, because it is large.
 */
export const SHOWN_COLUMNS = {
  appId: true,
  displayName: true,
  developerId: true,
  status: true,
  stoppedByPlatform: true,
  shortDescription: true,
  description: true,
  longDescription: true,
  category: true,
  tags: true,
  icon: true,
  gitUrl: true,
  homepage: true,
  license: true,
  pricingModel: true,
  pricingConfig: true,
  revenueSplitDev: true,
  servedVersion: true,
  rejectReason: true,
  submittedAt: true,
  submittedVersion: true,
  submittedSha256: true,
  publishedSha256: true,
  reviewsNameContent: true,
  publishedAt: true,
  createdAt: true,
  updatedAt: true,
} as const;
export type ShownApp = Pick<App, keyof typeof SHOWN_COLUMNS>;

/**
 * Returns the app as clients see it. Requires an app with a developer: a system app without one
 * would get `developer_id` null.
 */
export const toAppResponse = (app: ShownApp): AppResponse => ({
  app_id: app.appId,
  name: app.displayName,
  display_name: app.displayName,
  developer_id: app.developerId as string,
  status: app.status,
  short_description: app.shortDescription,
  description: app.description,
  long_description: app.longDescription,
  category: app.category,
  tags: app.tags,
  icon: app.icon,
  git_url: app.gitUrl,
  homepage: app.homepage,
  license: app.license,
  pricing_model: app.pricingModel,
  pricing_config: app.pricingConfig,
  revenue_split_dev: app.revenueSplitDev,
  version: app.servedVersion,
  reject_reason: app.rejectReason,
  submitted_at: app.submittedAt,
  submitted_version: app.submittedVersion,
  published_at: app.publishedAt,
  created_at: app.createdAt,
  updated_at: app.updatedAt,
});
