import { Injectable } from '@nestjs/common';
import type { ToolDefinition } from '@platform/contracts';
import { columns, queryPrepared, type OrNull, type Row, type RowOf } from '@platform/persistence';
import { isUnavailable } from '@platform/platform';
import { DataSource } from 'typeorm';
import { App } from '../../apps/model/app.entity.js';
import { AppPrice } from '../../apps/model/app-price.entity.js';
import { AppVersion } from '../../apps/model/app-version.entity.js';
import { Install } from '../installs/install.entity.js';
import { InstallCopiesService, toInstallState } from '../installs/install-copies.service.js';
import { RegistryClient } from '../../kernel/peers/registry/registry.client.js';
import { GRANTED_SCOPES } from '../../apps/reach/granted-scopes.js';
import type { Refusal } from '../run-grants/run-grants.errors.js';
import { refusalOfUser, selectEligibility, type EligibilityRow } from '../run-grants/eligibility-rows.js';

const OF_APP = columns(App, ['appId', 'displayName', 'shortDescription', 'description', 'category'], 'a');
const OF_VERSION = columns(AppVersion, ['version'], 'v');
const OF_PRICE = columns(AppPrice, ['functionPrices', 'monthlyPrice', 'version AS price_version'], 'price');
const REVISION = columns(Install, ['appId', 'revision']);

/**
 * An app that a user has. `version` is null if the app serves none; the prices are null if the app
 * is free for this user.
 */
export interface ExtensionRow
  extends EligibilityRow, RowOf<typeof OF_APP>, OrNull<RowOf<typeof OF_VERSION> & RowOf<typeof OF_PRICE>> {
  /** Functions of the served version; null without one. */
  tools: ToolDefinition[] | null;
  /**
   * Scopes that the user agreed to, even while the app is suspended or not published. Null without
   * an installation, and for apps of the platform, which need no agreement.
   */
  agreed_scopes: string[] | null;
  /** Null if the user agreed to no price. */
  agreed_price_version: number | null;
  /** Reason why the user cannot call the app; null if they can. */
  refusal: Refusal | null;
}

/** Statement for the user $1 and those of the apps $2 that exist. No rows for an unknown user. */
const OF_NAMED = selectEligibility({
  columns: 'a.app_id',
  pairs: `unnest((SELECT $2::text[])) AS asked (app_id) JOIN users w ON w.id = $1, LATERAL (SELECT asked.app_id, w.id AS user_id) l`,
});

/** Apps that users have. */
@Injectable()
export class InstalledExtensionsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly registry: RegistryClient,
    private readonly copies: InstallCopiesService,
  ) {}

  /**
   * Returns the apps that the user has: those of the platform, then the others in the order of
   * their installation, each with the reason if the user cannot call it. While the Registry is
   * unavailable, the gateway's copy of the installations is used.
   */
  async listInstalled(userId: string): Promise<ExtensionRow[]> {
    const ids = await this.refreshCopy(userId).catch((error: unknown) => {
      if (isUnavailable(error, 'registry')) return this.listCopied(userId);
      throw error;
    });
    const rows = await this.dataSource.query<Omit<ExtensionRow, 'refusal'>[]>(
      selectEligibility({
        columns: `${OF_APP}, v.manifest -> 'tools' AS tools, ${OF_VERSION}, ${OF_PRICE},
          CASE WHEN NOT a.system THEN ${GRANTED_SCOPES} END AS agreed_scopes, i.agreed_price_version`,
        pairs:
          "(SELECT app_id, $1::text AS user_id FROM apps WHERE app_id = ANY ($2) OR (system AND status = 'active')) l",
        // Developers pay nothing for their own apps.
        rest: `LEFT JOIN app_prices price ON price.app_id = a.app_id AND price.version = a.price_version AND NOT a.system
            AND a.developer_id <> l.user_id
          ORDER BY NOT a.system, array_position($2, a.app_id), a.app_id`,
      }),
      [userId, ids],
    );
    return rows.map((row) => ({ ...row, refusal: refusalOfUser(row) }));
  }

  /**
   * Returns those of these apps that the user cannot call, such as apps that are not installed or
   * are suspended. Unknown apps and users are never withheld, so the Registry shows them. The
   * Registry waits for this answer, and this function may ask the Registry for the user's
   * installations. The Registry answers that without the gateway, so there is no endless circle.
   *
   * @throws ServiceUnavailable if an app is not in the copy of the installations, and the Registry
   * is unavailable.
   */
  async findWithheld(userId: string, appIds: readonly string[]): Promise<string[]> {
    let rows = await this.eligibilityRows(userId, appIds);
    if (rows.some((row) => refusalOfUser(row) === 'not_installed')) {
      // The copy may lack an installation that was made directly at the Registry. A call refreshes
      // it, too.
      await this.refreshCopy(userId);
      rows = await this.eligibilityRows(userId, appIds);
    }
    return rows.filter((row) => refusalOfUser(row) !== null).map(({ app_id }) => app_id);
  }

  private eligibilityRows(userId: string, appIds: readonly string[]): Promise<(EligibilityRow & { app_id: string })[]> {
    return queryPrepared<EligibilityRow & { app_id: string }>(this.dataSource, OF_NAMED, [userId, appIds]);
  }

  /**
   * Copies the user's installations that are newer at the Registry than in the gateway's copy, and
   * returns the IDs of the installed apps. Removals reach the copy by `InstallFeedService`.
   *
   * @throws ServiceUnavailable if the Registry gives no valid answer.
   */
  async refreshCopy(userId: string): Promise<string[]> {
    const installs = await this.registry.listInstalls(userId);
    const known = await this.loadRevisions(userId);
    const news = installs.filter(({ app_id, revision }) => revision > (known.get(app_id) ?? 0));
    if (news.length) await this.copies.copyStates(news.map(toInstallState));
    return installs.map(({ app_id }) => app_id);
  }

  private async listCopied(userId: string): Promise<string[]> {
    const installs = await this.dataSource.query<Row<Install, 'appId'>[]>(
      'SELECT app_id FROM installs WHERE user_id = $1 AND removed_at IS NULL ORDER BY installed_at, app_id',
      [userId],
    );
    return installs.map(({ app_id }) => app_id);
  }

  private async loadRevisions(userId: string): Promise<Map<string, number>> {
    const installs = await this.dataSource.query<RowOf<typeof REVISION>[]>(
      `SELECT ${REVISION} FROM installs WHERE user_id = $1`,
      [userId],
    );
    return new Map(installs.map(({ app_id, revision }) => [app_id, Number(revision)]));
  }
}
