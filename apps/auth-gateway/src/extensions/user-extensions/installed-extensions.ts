import { Injectable } from '@nestjs/common';
import type { ToolDefinition } from '@platform/contracts';
import { columns, queryPrepared, type OrNull, type Row, type RowOf } from '@platform/persistence';
import { isUnavailable } from '@platform/platform';
import { DataSource } from 'typeorm';
import { App } from '../../apps/model/app.entity.js';
import { AppPrice } from '../../apps/model/app-price.entity.js';
import { AppVersion } from '../../apps/model/app-version.entity.js';
import { Install } from '../installs/install.entity.js';
import { InstallCopies, stateOf } from '../installs/install-copies.js';
import { RegistryClient } from '../../kernel/peers/registry/registry-client.js';
import { GRANTED_SCOPES } from '../../apps/reach/granted-scopes.js';
import type { Refusal } from '../run-grants/run-grants.errors.js';
import { refusalOfUser, selectEligibility, type EligibilityRow } from '../run-grants/eligibility-rows.js';

const OF_APP = columns(App, ['appId', 'displayName', 'shortDescription', 'description', 'category'], 'a');
const OF_VERSION = columns(AppVersion, ['version'], 'v');
const OF_PRICE = columns(AppPrice, ['functionPrices', 'monthlyPrice', 'version AS price_version'], 'price');
const REVISION = columns(Install, ['appId', 'revision']);

/** An app that a user has; `version` is null without one that runs, and the prices where it costs this user nothing. */
export interface ExtensionRow extends EligibilityRow, RowOf<typeof OF_APP>, OrNull<RowOf<typeof OF_VERSION> & RowOf<typeof OF_PRICE>> {
  /** Of the version that runs; null without one. */
  tools: ToolDefinition[] | null;
  /**
   * What the user agreed to, also while the app is out of service. Null without an install, and for the platform's own apps, to which
   * nobody need agree.
   */
  agreed_scopes: string[] | null;
  /** Null for no price. */
  agreed_price_version: number | null;
  /** Why the user cannot call it; null where they can. */
  refusal: Refusal | null;
}

/** How the user $1 stands to the apps $2, of those that there are; nothing for a user who is not there. */
const OF_NAMED = selectEligibility({
  columns: 'a.app_id',
  pairs: `unnest((SELECT $2::text[])) AS asked (app_id) JOIN users w ON w.id = $1, LATERAL (SELECT asked.app_id, w.id AS user_id) l`,
});

/** What users have. */
@Injectable()
export class InstalledExtensions {
  constructor(
    private readonly dataSource: DataSource,
    private readonly registry: RegistryClient,
    private readonly copies: InstallCopies,
  ) {}

  /** The platform's own apps, then the others in the order in which they were installed. While the Registry is away, the copy says which. */
  async of(userId: string): Promise<ExtensionRow[]> {
    const ids = await this.refresh(userId).catch((error: unknown) => {
      if (isUnavailable(error, 'registry')) return this.copied(userId);
      throw error;
    });
    const rows = await this.dataSource.query<Omit<ExtensionRow, 'refusal'>[]>(
      selectEligibility({
        columns: `${OF_APP}, v.manifest -> 'tools' AS tools, ${OF_VERSION}, ${OF_PRICE},
          CASE WHEN NOT a.system THEN ${GRANTED_SCOPES} END AS agreed_scopes, i.agreed_price_version`,
        pairs: "(SELECT app_id, $1::text AS user_id FROM apps WHERE app_id = ANY ($2) OR (system AND status = 'active')) l",
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
   * Those of these apps, which the user has at the Registry, that a call of theirs would be refused for. Of an app or a user that is not
   * known here nothing is withheld: the Registry shows what it was given. The Registry itself waits for this answer, and may be asked for
   * it: what it says of installs it says without the gateway, so the circle ends after one step.
   *
   * @throws ServiceUnavailable.
   */
  async withheld(userId: string, appIds: readonly string[]): Promise<string[]> {
    let rows = await this.eligibilityRows(userId, appIds);
    if (rows.some((row) => refusalOfUser(row) === 'not_installed')) {
      // The copy may not know yet what was installed elsewhere; a call looks again, too.
      await this.refresh(userId);
      rows = await this.eligibilityRows(userId, appIds);
    }
    return rows.filter((row) => refusalOfUser(row) !== null).map(({ app_id }) => app_id);
  }

  private eligibilityRows(userId: string, appIds: readonly string[]): Promise<(EligibilityRow & { app_id: string })[]> {
    return queryPrepared<EligibilityRow & { app_id: string }>(this.dataSource, OF_NAMED, [userId, appIds]);
  }

  /** Brings the copy up to what the Registry says of this user, and returns the ids of what they have. @throws ServiceUnavailable. */
  async refresh(userId: string): Promise<string[]> {
    const installs = await this.registry.listInstalls(userId);
    const known = await this.revisions(userId);
    const news = installs.filter(({ app_id, revision }) => revision > (known.get(app_id) ?? 0));
    if (news.length) await this.copies.copy(news.map(stateOf));
    return installs.map(({ app_id }) => app_id);
  }

  private async copied(userId: string): Promise<string[]> {
    const installs = await this.dataSource.query<Row<Install, 'appId'>[]>(
      'SELECT app_id FROM installs WHERE user_id = $1 AND removed_at IS NULL ORDER BY installed_at, app_id',
      [userId],
    );
    return installs.map(({ app_id }) => app_id);
  }

  private async revisions(userId: string): Promise<Map<string, number>> {
    const installs = await this.dataSource.query<RowOf<typeof REVISION>[]>(`SELECT ${REVISION} FROM installs WHERE user_id = $1`, [userId]);
    return new Map(installs.map(({ app_id, revision }) => [app_id, Number(revision)]));
  }
}
