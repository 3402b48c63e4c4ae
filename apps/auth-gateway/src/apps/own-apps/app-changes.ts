import type { AppCreateRequest, AppUpdateRequest } from '@platform/contracts';
import { isDeepStrictEqual } from 'node:util';
import type { AppStatus } from '../model/app.entity.js';
import type { ShownApp } from '../model/app-response.js';
import { AppErrors } from '../model/apps.errors.js';

type AppFields = Pick<
  ShownApp,
  | 'displayName'
  | 'shortDescription'
  | 'description'
  | 'longDescription'
  | 'category'
  | 'tags'
  | 'icon'
  | 'gitUrl'
  | 'homepage'
  | 'license'
  | 'pricingModel'
  | 'pricingConfig'
  | 'revenueSplitDev'
>;
export type AppChanges = Partial<AppFields>;

const PRICING = ['pricingModel', 'pricingConfig', 'revenueSplitDev'] as const;
/** In other statuses a change would affect the review or the users of the app. */
const NAME_AND_PRICES_CHANGE_IN: readonly AppStatus[] = ['draft', 'suspended'];

/** Fields that null removes. */
const CLEARED_BY_NULL: ReadonlySet<string> = new Set<keyof AppFields>([
  'icon',
  'gitUrl',
  'homepage',
  'license',
  'pricingConfig',
]);

/**
 * Returns the fields of an app that a request sets. Omits missing fields, and null for fields that
 * every app must have; null removes the others.
 */
export function getRequestedFields(request: AppCreateRequest | AppUpdateRequest): AppChanges {
  const fields = {
    displayName: request.display_name ?? request.name,
    shortDescription: request.short_description,
    description: request.description,
    longDescription: request.long_description,
    category: request.category,
    tags: request.tags,
    icon: request.icon,
    gitUrl: request.git_url,
    homepage: request.homepage,
    license: request.license,
    pricingModel: request.pricing_model,
    pricingConfig: request.pricing_config,
    revenueSplitDev: 'revenue_split_dev' in request ? request.revenue_split_dev : null,
  };
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([key, value]) => value !== undefined && (value !== null || CLEARED_BY_NULL.has(key)),
    ),
  );
}

/** Fields of the request that differ from the app. */
export const findAppChanges = (app: ShownApp, request: AppUpdateRequest): AppChanges =>
  Object.fromEntries(
    Object.entries(getRequestedFields(request)).filter(
      ([key, value]) => !isDeepStrictEqual(value, app[key as keyof AppFields]),
    ),
  );

/**
 * Checks that the app can get these changes: prices, share and name are fixed while it is in review
 * or in the marketplace.
 *
 * @param split percentage that the developer's tier gives. An app keeps a higher share from an
 * earlier tier.
 * @throws AppError 400 `app.split_too_high` if the share is too high; 409 `app.pricing_fixed` for
 * prices or the share, `app.name_fixed` for the name, of an app that is in review or active.
 */
export function assertAppChangesAllowed(app: ShownApp, changes: AppChanges, split: number): void {
  const isFixed = !NAME_AND_PRICES_CHANGE_IN.includes(app.status);
  if (isFixed && PRICING.some((key) => key in changes)) throw AppErrors.pricingFixed(app.status);
  if (isFixed && 'displayName' in changes) throw AppErrors.nameFixed(app.status);
  const most = Math.max(split, app.revenueSplitDev);
  if ((changes.revenueSplitDev ?? 0) > most) throw AppErrors.splitTooHigh(most);
}
