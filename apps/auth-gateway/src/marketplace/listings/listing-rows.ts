import type { MarketplaceApp } from '@platform/contracts';
import { columns, type Row, type RowOf } from '@platform/persistence';
import type { EntityManager } from 'typeorm';
import { App } from '../../apps/model/app.entity.js';
import type { Install } from '../../extensions/installs/install.entity.js';

const APP_COLUMNS = columns(
  App,
  [
    'appId',
    'displayName',
    'shortDescription',
    'category',
    'tags',
    'servedVersion',
    'developerId',
    'pricingModel',
    'featured',
    'system',
  ],
  'a',
);
/** Columns of an app in lists, from `apps a` and `app_listings l`. */
export const LISTING_COLUMNS = `${APP_COLUMNS}, l.install_count, l.rating, l.review_count`;

export interface ListingRow extends RowOf<typeof APP_COLUMNS> {
  /** A listed app always has a served version and a developer. */
  served_version: string;
  developer_id: string;
  install_count: number;
  rating: string;
  review_count: number;
}

/** Data for the response in addition to the row. */
export interface ListingContext {
  /** Base URL of the gateway, for icons. */
  publicUrl: string;
  /** Apps of the list that the caller has installed; null if the caller is not signed in. */
  installed: ReadonlySet<string> | null;
}

/**
 * Reads the rows of those apps that are in the marketplace, in the order of `appIds`. Others are
 * left out.
 */
export async function findListingRows(em: EntityManager, appIds: readonly string[]): Promise<ListingRow[]> {
  if (!appIds.length) return [];
  const rows = await em.query<ListingRow[]>(
    `SELECT ${LISTING_COLUMNS} FROM apps a JOIN app_listings l ON l.app_id = a.app_id AND l.is_listed WHERE a.app_id = ANY ($1)`,
    [appIds],
  );
  const byId = new Map(rows.map((row) => [row.app_id, row]));
  return appIds.flatMap((id) => byId.get(id) ?? []);
}

/** Returns those of the apps that the user has installed. */
export async function findInstalledApps(
  em: EntityManager,
  userId: string,
  appIds: readonly string[],
): Promise<Set<string>> {
  if (!appIds.length) return new Set();
  const rows = await em.query<Row<Install, 'appId'>[]>(
    'SELECT app_id FROM installs WHERE user_id = $1 AND app_id = ANY ($2) AND removed_at IS NULL',
    [userId, appIds],
  );
  return new Set(rows.map(({ app_id }) => app_id));
}

/**
 * Makes the answer about an app in a list. It lists the public fields explicitly, so that new
 * columns stay private by default. `is_installed` is null if the caller is not signed in.
 */
export function toMarketplaceApp(row: ListingRow, { publicUrl, installed }: ListingContext) {
  const icon = `${publicUrl}/v1/marketplace/apps/${row.app_id}/icon`;
  const rating = Number(row.rating);
  return {
    app_id: row.app_id,
    name: row.display_name,
    display_name: row.display_name,
    short_description: row.short_description,
    category: row.category,
    tags: row.tags,
    version: row.served_version,
    developer_id: row.developer_id,
    pricing_model: row.pricing_model,
    install_count: row.install_count,
    rating,
    avg_rating: rating,
    review_count: row.review_count,
    featured: row.featured,
    system: row.system,
    icon_url: icon,
    icon,
    is_installed: installed && installed.has(row.app_id),
  } satisfies MarketplaceApp;
}
