import { Injectable } from '@nestjs/common';
import { isAppId } from '@platform/contracts';
import { intersectNarrowings, type OriginKey, type Narrowing } from '@platform/guards';
import { queryPrepared } from '@platform/persistence';
import { Batcher } from '@platform/platform';
import { DataSource } from 'typeorm';
import { keyIsInvalid } from '../../identity/api-keys/invalid-keys.js';
import { getEffectiveScopes, type Account } from '../../identity/sessions/signed-in-account.js';
import type { PolicyRow } from '../access/access-rules.js';
import {
  AS_DEVELOPER,
  getGrantedScopes,
  versionNarrowingSql,
  intersectScopes,
} from '../../apps/reach/granted-scopes.js';
import type { Refusal } from './run-grants.errors.js';
import { appIsRevoked, restrictionsSql } from '../../apps/reach/revoked-apps.js';
import {
  isExcluded,
  currentNarrowing,
  refusalOfApp,
  refusalOfUser,
  selectEligibility,
  type EligibilityRow,
} from './eligibility-rows.js';

/**
 * Input of `RunEligibilityService`: an app, perhaps in a given version, and the user for whom it
 * acts.
 */
export interface EligibilityRequest {
  appId: string;
  /** Null for a run without a user. */
  userId: string | null;
  /** Absent: any version. */
  version?: { version: string; sha256: string };
  /** API key that led to the run. Refused if the key was deleted or has expired. */
  key?: OriginKey | null;
  /**
   * Apps that led to the run. Refused if one of them cannot act for the user any more, or for the
   * developer if there is no user.
   */
  apps?: readonly string[] | null;
  /**
   * True if the run was allowed when it began. Only the start of a background run needs the
   * installation.
   */
  hasBegun?: boolean;
  /**
   * True if the app is told that the user has removed it. The app must be removed, and the run gets
   * no scopes.
   */
  isUninstalled?: boolean;
}

/** User for whom the app can act now. */
export interface ServedUser {
  userId: string;
  tenantId: string;
  role: string;
  /** The user's current scopes that the app was granted. */
  scopes: readonly string[];
}

/** Result of `RunEligibilityService`. */
export interface Eligibility {
  /** Null if the app can act. */
  refusal: Refusal | null;
  /** Developer of the app. Null if the app does not exist or has no developer. */
  developer: { userId: string; tenantId: string } | null;
  /** Null without a user, and if the app cannot act for the user. */
  user: ServedUser | null;
  /**
   * Permission limit when the app acts for its own developer: the permissions of the credential
   * that deployed it. Null: no limit.
   */
  narrowing: Narrowing | null;
}

interface Row extends EligibilityRow {
  at: number;
  developer_tenant: string | null;
  is_other_version: boolean;
  /**
   * True if an API key that led to the run, or that deployed the requested version, no longer
   * exists.
   */
  is_run_key_gone: boolean;
  /**
   * True if one of `RUN_APPS` cannot act for the user, or for the developer if there is no user.
   * See `appIsRevoked`.
   */
  is_run_app_gone: boolean;
  /** Access rules of the tenant that ask for scopes, for `RUN_APPS`; null for none. */
  run_restrictions: PolicyRow[] | null;
  /** Permission limit of the requested version. */
  run_narrowing: Narrowing | null;
}

export const MAX_ELIGIBILITIES = 1_000;
const AT_ONCE = 2;
const USER_ID = /^[\w-]{1,64}$/;

/**
 * Runs of the previous version are accepted for this time: the host learns about a deployment a
 * little later, and runs that began earlier continue.
 */
const OLDER_VERSION_RUNS_FOR = '10 minutes';

/** Apps that led to the run, and apps that deployed the requested version. */
const RUN_APPS = `coalesce(l.apps::jsonb, '[]') || CASE WHEN ${AS_DEVELOPER} THEN coalesce(r.narrowing -> 'apps', '[]') ELSE '[]' END`;

const STATEMENT = selectEligibility({
  columns: `l.at::int - 1 AS at, d.tenant_id AS developer_tenant, l.version IS NOT NULL AND r.version IS NULL AS is_other_version,
    l.key IS NOT NULL AND ${keyIsInvalid('l.key::jsonb')} OR ${AS_DEVELOPER} AND ${keyIsInvalid("r.narrowing -> 'key'")} AS is_run_key_gone,
    ${appIsRevoked(RUN_APPS, 'coalesce(l.user_id, a.developer_id)')} AS is_run_app_gone, ${restrictionsSql(RUN_APPS, 's.tenant_id')} AS run_restrictions,
    ${versionNarrowingSql('r', AS_DEVELOPER)} AS run_narrowing`,
  pairs: `unnest((SELECT $1::text[]), (SELECT $2::text[]), (SELECT $3::text[]), (SELECT $4::text[]), (SELECT $5::text[]), (SELECT $6::text[]))
      WITH ORDINALITY AS l (app_id, user_id, version, sha256, key, apps, at)`,
  rest: `LEFT JOIN users d ON d.id = a.developer_id
    LEFT JOIN app_versions r ON r.app_id = a.app_id AND r.version = l.version AND r.sha256 = decode(l.sha256, 'hex') AND r.document IS NOT NULL
      AND (r.version = a.served_version OR r.served_until > now() - interval '${OLDER_VERSION_RUNS_FOR}')`,
});

/**
 * Decides for which users apps can act now. Reads the database for each question; nothing is
 * cached.
 */
@Injectable()
export class RunEligibilityService {
  private readonly batches = new Batcher((asked: EligibilityRequest[]) => this.queryBatch(asked), {
    maxItems: MAX_ELIGIBILITIES,
    maxRunning: AT_ONCE,
  });

  constructor(private readonly dataSource: DataSource) {}

  findEligibility(asked: EligibilityRequest): Promise<Eligibility> {
    return this.batches.addItem(asked);
  }

  /**
   * Decides for each of these apps and users if the app can act for the user. Returns the results
   * in the same order, with one statement for every 1,000.
   */
  findEligibilities(asked: readonly EligibilityRequest[]): Promise<Eligibility[]> {
    return Promise.all(asked.map((one) => this.findEligibility(one)));
  }

  private async queryBatch(asked: EligibilityRequest[]): Promise<Eligibility[]> {
    // A text that PostgreSQL cannot store would fail the whole batch.
    const ids = asked.map(({ appId, userId }) => [
      isAppId(appId) ? appId : null,
      userId !== null && USER_ID.test(userId) ? userId : null,
    ]);
    const rows = await queryPrepared<Row>(this.dataSource, STATEMENT, [
      ids.map(([appId]) => appId),
      ids.map(([, userId]) => userId),
      asked.map(({ version }) => version?.version ?? null),
      asked.map(({ version }) => version?.sha256 ?? null),
      asked.map(({ key }) => (key ? JSON.stringify(key) : null)),
      asked.map(({ apps }) => (apps?.length ? JSON.stringify(apps) : null)),
    ]);
    const eligibilities = asked.map((): Eligibility => ({
      refusal: 'app_unavailable',
      developer: null,
      user: null,
      narrowing: null,
    }));
    for (const row of rows) eligibilities[row.at] = eligibilityOf(row, asked[row.at]);
    return eligibilities;
  }
}

/**
 * Reason why the app cannot act in this tenant; null if it can. A run without a user belongs to the
 * tenant of the app's developer.
 */
export function refusalIn({ refusal, developer, user }: Eligibility, tenantId: string): Refusal | null {
  return refusal ?? ((user ?? developer)?.tenantId === tenantId ? null : 'other_tenant');
}

function eligibilityOf(
  row: Row,
  { userId = null, hasBegun = false, isUninstalled = false }: Partial<EligibilityRequest> = {},
): Eligibility {
  const { developer_id, developer_tenant, account } = row;
  const developer =
    developer_id !== null && developer_tenant !== null ? { userId: developer_id, tenantId: developer_tenant } : null;
  const refusal =
    refusalOfRun(row) ??
    (userId === null ? null : (refusalOfUser(row, isUninstalled) ?? (hasBegun ? null : refusalUninstalled(row))));
  const narrowing = intersectNarrowings(currentNarrowing(row), row.run_narrowing);
  const user =
    refusal === null && userId !== null && account
      ? servedUser(account, isUninstalled ? [] : getGrantedScopes({ ...row, narrowing }))
      : null;
  return { refusal, developer, user, narrowing };
}

function refusalOfRun(row: Row): Refusal | null {
  const { may_run, is_run_key_gone, is_run_app_gone, run_restrictions, account, is_other_version } = row;
  if (!may_run) return refusalOfApp(row);
  if (is_run_key_gone) return 'key_gone';
  if (is_run_app_gone || (account && isExcluded(run_restrictions, account))) return 'app_gone';
  return is_other_version ? 'other_version' : null;
}

/**
 * Returns `not_installed` for a published app that a developer has without an installation; else
 * null. A background run acts only for users who installed the app, and for the developer of a
 * draft.
 */
const refusalUninstalled = ({ status, as_developer }: Row): Refusal | null =>
  status === 'active' && as_developer ? 'not_installed' : null;

const servedUser = (account: Account, granted: readonly string[]): ServedUser => ({
  userId: account.user_id,
  tenantId: account.tenant_id,
  role: account.role,
  scopes: intersectScopes(getEffectiveScopes(account), granted),
});
