import { Inject, Injectable } from '@nestjs/common';
import {
  CATEGORIES,
  type ListMarketplaceAppsQuery,
  type MarketplaceApp,
  type MarketplaceAppDetail,
  type MarketplaceCategory,
  type MarketplaceDeveloper,
  type MarketplaceTool,
  type MarketplaceWebhook,
  type ToolManifest,
} from '@platform/contracts';
import type { UserCaller } from '@platform/guards';
import { columns, type OrNull, type RowOf } from '@platform/persistence';
import { DataSource } from 'typeorm';
import { CONFIG, type Config } from '../../config.js';
import { App } from '../../apps/model/app.entity.js';
import { Developer } from '../../apps/developers/developer.entity.js';
import { AppPrice } from '../../apps/model/app-price.entity.js';
import { AppVersion } from '../../apps/model/app-version.entity.js';
import { getFunctionPrice } from '../../apps/prices/app-prices.repository.js';
import { User } from '../../identity/accounts/user.entity.js';
import { GRANTED_SCOPES, IS_WITHOUT_CONSENT } from '../../apps/reach/granted-scopes.js';
import { scopeConsent } from '../../extensions/access/scope-consent.js';
import { ListingErrors } from './listings.errors.js';
import { loadAppIcon } from './icons.js';
import {
  findInstalledApps,
  LISTING_COLUMNS,
  findListingRows,
  toMarketplaceApp,
  type ListingRow,
} from './listing-rows.js';
import { findListedApps } from './sorted-apps.js';

const MAX_APPS_OF_DEVELOPER = 100;

const APP_COLUMNS = columns(App, ['description', 'longDescription', 'updatedAt', 'homepage', 'license'], 'a');
const AUTHOR = columns(Developer, ['displayName AS author', 'website'], 'd');
const VERSION_COLUMNS = columns(AppVersion, ['requestedScopes'], 'v');
/** Prices that are charged for a call or a month. */
const PRICE_COLUMNS = columns(AppPrice, ['functionPrices', 'monthlyPrice', 'version AS price_version'], 'p');

interface DetailRow
  extends
    ListingRow,
    RowOf<typeof APP_COLUMNS>,
    RowOf<typeof AUTHOR>,
    RowOf<typeof VERSION_COLUMNS>,
    OrNull<RowOf<typeof PRICE_COLUMNS>> {
  published_at: Date;
  tools: ToolManifest['tools'];
  /** Null unless the caller has installed the app. */
  granted_scopes: string[] | null;
  /** See `IS_WITHOUT_CONSENT`. */
  is_unagreed: boolean;
}

const DEVELOPER_COLUMNS = columns(Developer, ['userId', 'displayName', 'description', 'website', 'tier'], 'd');
const NICKNAME = columns(User, ['nickname'], 'u');

interface DeveloperRow extends RowOf<typeof DEVELOPER_COLUMNS>, RowOf<typeof NICKNAME> {
  total_installs: string;
  rating_sum: string;
  review_count: string;
}

/** Contents of the marketplace, the same for users of all tenants. */
@Injectable()
export class MarketplaceAppsService {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Lists a page of the apps in the marketplace, in the order of the query. `is_installed` of each
   * app is null without a user.
   *
   * @throws ValidationFailed for an unknown category.
   */
  async listMarketplaceApps(user: UserCaller | null, query: ListMarketplaceAppsQuery): Promise<MarketplaceApp[]> {
    return this.toMarketplaceApps(user, await findListedApps(this.dataSource.manager, query));
  }

  /** Lists the apps that the operator features, most installed first. */
  async listFeaturedApps(user: UserCaller | null, limit: number): Promise<MarketplaceApp[]> {
    const rows = await this.dataSource.query<{ app_id: string }[]>(
      `SELECT a.app_id FROM apps a JOIN app_listings l ON l.app_id = a.app_id
       WHERE a.featured AND a.status = 'active' AND NOT a.system ORDER BY l.install_count DESC, a.app_id LIMIT $1`,
      [limit],
    );
    return this.toMarketplaceApps(
      user,
      rows.map(({ app_id }) => app_id),
    );
  }

  /**
   * Returns the details of an app, with its functions, their prices and the scopes that the user
   * has granted to it.
   *
   * @throws AppError 404 `app.not_found` if the app is not in the marketplace.
   */
  async getMarketplaceApp(user: UserCaller | null, appId: string): Promise<MarketplaceAppDetail> {
    const [row] = await this.dataSource.query<DetailRow[]>(
      `SELECT ${LISTING_COLUMNS}, ${APP_COLUMNS}, ${AUTHOR}, ${VERSION_COLUMNS}, ${PRICE_COLUMNS}, l.published_at,
         v.manifest -> 'tools' AS tools, ${GRANTED_SCOPES} AS granted_scopes, ${IS_WITHOUT_CONSENT} AS is_unagreed
       FROM apps a
         JOIN app_listings l ON l.app_id = a.app_id AND l.is_listed
         JOIN developers d ON d.user_id = a.developer_id
         JOIN app_versions v ON v.app_id = a.app_id AND v.version = a.served_version
         LEFT JOIN app_prices p ON p.app_id = a.app_id AND p.version = a.price_version
         LEFT JOIN installs i ON i.app_id = a.app_id AND i.user_id = $2 AND i.removed_at IS NULL
       WHERE a.app_id = $1`,
      [appId, user?.userId ?? null],
    );
    if (!row) throw ListingErrors.appNotFound();
    return {
      ...toMarketplaceApp(row, await this.loadContext(user, [appId])),
      description: row.description,
      long_description: row.long_description,
      author: row.author,
      homepage: row.homepage ?? row.website,
      license: row.license,
      tools: row.tools.map((tool) => toMarketplaceTool(tool, row.function_prices)),
      ...(row.granted_scopes
        ? { ...scopeConsent(row.requested_scopes, row.granted_scopes), is_install_key_gone: row.is_unagreed }
        : {
            requested_scopes: row.requested_scopes,
            granted_scopes: null,
            missing_scopes: null,
            is_install_key_gone: null,
          }),
      monthly_price: Number(row.monthly_price) || null,
      price_version: row.price_version,
      published_at: row.published_at,
      updated_at: row.updated_at,
    };
  }

  /**
   * Returns the icon of an app as SVG: its own, or the first letter of its name.
   *
   * @throws AppError 404 `app.not_found` if the app is neither in the marketplace nor a system app.
   */
  getAppIcon(appId: string): Promise<string> {
    return loadAppIcon(this.dataSource.manager, appId);
  }

  /**
   * Lists the webhooks that the served version of an app declares, one for each path and method;
   * empty for a version without a document.
   *
   * @throws AppError 404 `app.not_found` if the app is not in the marketplace.
   */
  async listAppWebhooks(appId: string): Promise<MarketplaceWebhook[]> {
    const [row] = await this.dataSource.query<{ webhooks: MarketplaceWebhook[] | null }[]>(
      `SELECT v.document #> '{app,webhooks}' AS webhooks FROM app_listings l JOIN apps a ON a.app_id = l.app_id
         JOIN app_versions v ON v.app_id = a.app_id AND v.version = a.served_version
       WHERE l.app_id = $1 AND l.is_listed`,
      [appId],
    );
    if (!row) throw ListingErrors.appNotFound();
    return (row.webhooks ?? []).flatMap(({ path, method }) => [method].flat().map((each) => ({ path, method: each })));
  }

  /**
   * Lists all categories of the catalogue and other categories that apps use, each with the number
   * of its apps.
   */
  async listCategories(): Promise<MarketplaceCategory[]> {
    const counted = await this.dataSource.query<{ category: string; count: number }[]>(
      'SELECT category, count(*)::int AS count FROM app_listings WHERE is_listed GROUP BY category ORDER BY category',
    );
    const counts = new Map(counted.map(({ category, count }) => [category, count]));
    const known = CATEGORIES.map(({ id, label }) => ({ id, label, count: counts.get(id) ?? 0 }));
    const others = counted.filter(({ category }) => !CATEGORIES.some(({ id }) => id === category));
    return [...known, ...others.map(({ category, count }) => ({ id: category, label: category, count }))];
  }

  /**
   * Returns the profile of a developer with their 100 most installed apps.
   *
   * @throws AppError 404 `developer.not_found` if the user is not a developer or their account was
   * deleted.
   */
  async getMarketplaceDeveloper(user: UserCaller | null, developerId: string): Promise<MarketplaceDeveloper> {
    const [row] = await this.dataSource.query<DeveloperRow[]>(
      `SELECT ${DEVELOPER_COLUMNS}, ${NICKNAME}, sum.*
       FROM developers d JOIN users u ON u.id = d.user_id AND u.erased_at IS NULL,
         LATERAL (SELECT coalesce(sum(install_count), 0) AS total_installs, coalesce(sum(rating_sum), 0) AS rating_sum,
           coalesce(sum(review_count), 0) AS review_count
           FROM apps a JOIN app_listings l ON l.app_id = a.app_id AND l.is_listed WHERE a.developer_id = d.user_id) AS sum
       WHERE d.user_id = $1`,
      [developerId],
    );
    if (!row) throw ListingErrors.developerNotFound();
    const apps = await this.dataSource.query<{ app_id: string }[]>(
      `SELECT a.app_id FROM apps a JOIN app_listings l ON l.app_id = a.app_id AND l.is_listed
       WHERE a.developer_id = $1 ORDER BY l.install_count DESC, a.app_id LIMIT ${MAX_APPS_OF_DEVELOPER}`,
      [developerId],
    );
    const reviews = Number(row.review_count);
    return {
      developer_id: row.user_id,
      nickname: row.nickname,
      display_name: row.display_name,
      description: row.description,
      website: row.website,
      tier: row.tier,
      apps: await this.toMarketplaceApps(
        user,
        apps.map(({ app_id }) => app_id),
      ),
      total_installs: Number(row.total_installs),
      avg_rating: reviews ? Math.round((100 * Number(row.rating_sum)) / reviews) / 100 : 0,
    };
  }

  private async toMarketplaceApps(user: UserCaller | null, appIds: string[]): Promise<MarketplaceApp[]> {
    const context = await this.loadContext(user, appIds);
    return (await findListingRows(this.dataSource.manager, appIds)).map((row) => toMarketplaceApp(row, context));
  }

  private async loadContext(user: UserCaller | null, appIds: string[]) {
    const installed = user && (await findInstalledApps(this.dataSource.manager, user.userId, appIds));
    return { publicUrl: this.config.PUBLIC_URL, installed };
  }
}

const toMarketplaceTool = (
  { name, description, action_type }: ToolManifest['tools'][number],
  prices: DetailRow['function_prices'],
): MarketplaceTool => ({ name, description, action_type, price: getFunctionPrice(prices, name) });
