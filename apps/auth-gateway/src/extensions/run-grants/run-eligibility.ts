import { Injectable } from '@nestjs/common';
import { isAppId } from '@platform/contracts';
import { narrower, type GivenKey, type Narrowing } from '@platform/guards';
import { queryPrepared } from '@platform/persistence';
import { Batches } from '@platform/platform';
import { DataSource } from 'typeorm';
import { keyIsGone } from '../../identity/api-keys/key-is-gone.js';
import { effectiveScopes, type Account } from '../../identity/sessions/signed-in-account.js';
import type { PolicyRow } from '../access/access-rules.js';
import { AS_DEVELOPER, grantedScopes, narrowingOfVersion, scopesInForce } from '../../apps/reach/granted-scopes.js';
import type { Refusal } from './run-grants.errors.js';
import { appIsGone, restrictionsOf } from '../../apps/reach/apps-gone.js';
import { isClosed, narrowingNow, refusalOfApp, refusalOfUser, selectEligibility, type EligibilityRow } from './eligibility-rows.js';

/** An app, perhaps in one of its versions, and whom it may act for. */
export interface Asked {
  appId: string;
  /** Null for nobody. */
  userId: string | null;
  /** Unless told, whichever runs. */
  version?: { version: string; sha256: string };
  /** From which it follows; it is refused when that is gone. */
  key?: GivenKey | null;
  /** The apps from which it follows; it is refused when one of them may not act for the user, or for the developer where there is none. */
  apps?: readonly string[] | null;
  /** The run was allowed when it began; only a beginning by itself needs the installation. */
  hasBegun?: boolean;
  /** It is about telling the app that the user has removed it. Then it has been removed, and the user's scopes are not asked for: it has none. */
  isUninstalled?: boolean;
}

/** A user whose app may act for them now. */
export interface ServedUser {
  userId: string;
  tenantId: string;
  role: string;
  /** The user's current ones, as far as the app was granted them. */
  scopes: readonly string[];
}

/** Whether an app may act, and for whom. */
export interface Eligibility {
  /** Null where the app may act. */
  refusal: Refusal | null;
  /** Of the app, and of its developer. Null for what is not there, or has no developer. */
  developer: { userId: string; tenantId: string } | null;
  /** Null for nobody, and where the app may not act for the user. */
  user: ServedUser | null;
  /** Of what acts for its developer as such: as far as whoever deployed it could. Null: as the developer may. */
  narrowing: Narrowing | null;
}

interface Row extends EligibilityRow {
  at: number;
  developer_tenant: string | null;
  is_other_version: boolean;
  /** The key from which it follows is gone, or that of the version that was asked for. */
  is_run_key_gone: boolean;
  /** One of `RUN_APPS` may not act for the user, or for the developer where there is none. See `appIsGone`. */
  is_run_app_gone: boolean;
  /** The rules by which the tenant asks for scopes of `RUN_APPS`; null for none. */
  run_restrictions: PolicyRow[] | null;
  /** Of the version that was asked for. */
  run_narrowing: Narrowing | null;
}

export const MAX_ELIGIBILITIES = 1_000;
const AT_ONCE = 2;
const USER_ID = /^[\w-]{1,64}$/;

/** The host follows what is deployed, and a run that began before goes on. */
const OLDER_VERSION_RUNS_FOR = '10 minutes';

/** The apps from which a run follows, and those that had the version deployed that was asked for. */
const RUN_APPS = `coalesce(l.apps::jsonb, '[]') || CASE WHEN ${AS_DEVELOPER} THEN coalesce(r.narrowing -> 'apps', '[]') ELSE '[]' END`;

const STATEMENT = selectEligibility({
  columns: `l.at::int - 1 AS at, d.tenant_id AS developer_tenant, l.version IS NOT NULL AND r.version IS NULL AS is_other_version,
    l.key IS NOT NULL AND ${keyIsGone('l.key::jsonb')} OR ${AS_DEVELOPER} AND ${keyIsGone("r.narrowing -> 'key'")} AS is_run_key_gone,
    ${appIsGone(RUN_APPS, 'coalesce(l.user_id, a.developer_id)')} AS is_run_app_gone, ${restrictionsOf(RUN_APPS, 's.tenant_id')} AS run_restrictions,
    ${narrowingOfVersion('r', AS_DEVELOPER)} AS run_narrowing`,
  pairs: `unnest((SELECT $1::text[]), (SELECT $2::text[]), (SELECT $3::text[]), (SELECT $4::text[]), (SELECT $5::text[]), (SELECT $6::text[]))
      WITH ORDINALITY AS l (app_id, user_id, version, sha256, key, apps, at)`,
  rest: `LEFT JOIN users d ON d.id = a.developer_id
    LEFT JOIN app_versions r ON r.app_id = a.app_id AND r.version = l.version AND r.sha256 = decode(l.sha256, 'hex') AND r.document IS NOT NULL
      AND (r.version = a.served_version OR r.served_until > now() - interval '${OLDER_VERSION_RUNS_FOR}')`,
});

/** Whom apps may act for at this moment, as the database says it: nothing is kept. */
@Injectable()
export class RunEligibility {
  private readonly batches = new Batches((asked: Asked[]) => this.query(asked), { maxItems: MAX_ELIGIBILITIES, maxRunning: AT_ONCE });

  constructor(private readonly dataSource: DataSource) {}

  find(asked: Asked): Promise<Eligibility> {
    return this.batches.add(asked);
  }

  /** In their order, by one statement for every thousand. */
  findAll(asked: readonly Asked[]): Promise<Eligibility[]> {
    return Promise.all(asked.map((one) => this.find(one)));
  }

  private async query(asked: Asked[]): Promise<Eligibility[]> {
    // What PostgreSQL cannot hold would fail for everybody in the batch.
    const ids = asked.map(({ appId, userId }) => [isAppId(appId) ? appId : null, userId !== null && USER_ID.test(userId) ? userId : null]);
    const rows = await queryPrepared<Row>(this.dataSource, STATEMENT, [
      ids.map(([appId]) => appId),
      ids.map(([, userId]) => userId),
      asked.map(({ version }) => version?.version ?? null),
      asked.map(({ version }) => version?.sha256 ?? null),
      asked.map(({ key }) => (key ? JSON.stringify(key) : null)),
      asked.map(({ apps }) => (apps?.length ? JSON.stringify(apps) : null)),
    ]);
    const eligibilities = asked.map((): Eligibility => ({ refusal: 'app_unavailable', developer: null, user: null, narrowing: null }));
    for (const row of rows) eligibilities[row.at] = eligibilityOf(row, asked[row.at]);
    return eligibilities;
  }
}

/** Why nobody may act so in this tenant; null where they may. What belongs to nobody is in the tenant of the app's developer. */
export function refusalIn({ refusal, developer, user }: Eligibility, tenantId: string): Refusal | null {
  return refusal ?? ((user ?? developer)?.tenantId === tenantId ? null : 'other_tenant');
}

function eligibilityOf(row: Row, { userId = null, hasBegun = false, isUninstalled = false }: Partial<Asked> = {}): Eligibility {
  const { developer_id, developer_tenant, account } = row;
  const developer = developer_id !== null && developer_tenant !== null ? { userId: developer_id, tenantId: developer_tenant } : null;
  const refusal =
    refusalOfRun(row) ?? (userId === null ? null : (refusalOfUser(row, isUninstalled) ?? (hasBegun ? null : refusalUninstalled(row))));
  const narrowing = narrower(narrowingNow(row), row.run_narrowing);
  const user =
    refusal === null && userId !== null && account ? servedUser(account, isUninstalled ? [] : grantedScopes({ ...row, narrowing })) : null;
  return { refusal, developer, user, narrowing };
}

function refusalOfRun(row: Row): Refusal | null {
  const { may_run, is_run_key_gone, is_run_app_gone, run_restrictions, account, is_other_version } = row;
  if (!may_run) return refusalOfApp(row);
  if (is_run_key_gone) return 'key_gone';
  if (is_run_app_gone || (account && isClosed(run_restrictions, account))) return 'app_gone';
  return is_other_version ? 'other_version' : null;
}

/** What begins by itself acts for nobody who has not installed it, but for developers by their drafts. */
const refusalUninstalled = ({ status, as_developer }: Row): Refusal | null =>
  status === 'active' && as_developer ? 'not_installed' : null;

const servedUser = (account: Account, granted: readonly string[]): ServedUser => ({
  userId: account.user_id,
  tenantId: account.tenant_id,
  role: account.role,
  scopes: scopesInForce(effectiveScopes(account), granted),
});
