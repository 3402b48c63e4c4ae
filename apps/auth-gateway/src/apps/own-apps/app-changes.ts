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
/** Else they would change under who reviews the app or has it. */
const NAME_AND_PRICES_CHANGE_IN: readonly AppStatus[] = ['draft', 'suspended'];

/** What an app can be without: null takes it away. */
const CLEARED_BY_NULL: ReadonlySet<string> = new Set<keyof AppFields>(['icon', 'gitUrl', 'homepage', 'license', 'pricingConfig']);

/** What a request gives. What is absent is left out, and so is null for what every app has. */
export function fieldsOf(request: AppCreateRequest | AppUpdateRequest): AppChanges {
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
    Object.entries(fields).filter(([key, value]) => value !== undefined && (value !== null || CLEARED_BY_NULL.has(key))),
  );
}

/** What the request makes another than it is. */
export const changesOf = (app: ShownApp, request: AppUpdateRequest): AppChanges =>
  Object.fromEntries(Object.entries(fieldsOf(request)).filter(([key, value]) => !isDeepStrictEqual(value, app[key as keyof AppFields])));

/**
 * @param split what the tier of the developer gives them. An app keeps a higher one that it has from a higher tier.
 * @throws AppError 409 for prices and the name of an app that is in review or active, 400 for too high a share.
 */
export function assertMayChange(app: ShownApp, changes: AppChanges, split: number): void {
  const isFixed = !NAME_AND_PRICES_CHANGE_IN.includes(app.status);
  if (isFixed && PRICING.some((key) => key in changes)) throw AppErrors.pricingFixed(app.status);
  if (isFixed && 'displayName' in changes) throw AppErrors.nameFixed(app.status);
  const most = Math.max(split, app.revenueSplitDev);
  if ((changes.revenueSplitDev ?? 0) > most) throw AppErrors.splitTooHigh(most);
}
