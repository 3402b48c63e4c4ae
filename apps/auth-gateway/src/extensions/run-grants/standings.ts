import { Inject, Injectable } from '@nestjs/common';
import { isAppId, type AppStatus } from '@platform/contracts';
import { queryPrepared } from '@platform/persistence';
import { Batches } from '@platform/platform';
import { DataSource } from 'typeorm';
import { ACCOUNT_COLUMNS, ACCOUNT_JOINS, effectiveScopes, type Account } from '../../sessions/account.js';
import { canAuthenticate } from '../../users/can-authenticate.js';
import { EVERYBODY, hasAccess, type PolicyRow } from '../access-rules.js';
import { GRANT_COLUMNS, grantedScopes, scopesInForce, type GrantRow } from '../granted-scopes.js';
import type { Refusal } from './run-grants.errors.js';

/** An app, perhaps in one of its versions, and whom it may act for. */
export interface Asked {
  appId: string;
  /** Null for nobody. */
  userId: string | null;
  /** Unless told, whichever runs. */
  version?: { version: string; sha256: string };
}

/** A user whose app may act for them now. */
export interface ServedUser {
  userId: string;
  tenantId: string;
  role: string;
  /** The user's current ones, as far as the app was granted them. */
  scopes: readonly string[];
}

export interface Standing {
  /** Null where the app may act. */
  refusal: Refusal | null;
  /** Of the app, and of its developer. Null for what is not there, or has no developer. */
  developer: { userId: string; tenantId: string } | null;
  /** Null for nobody, and where the app may not act for the user. */
  user: ServedUser | null;
}

interface Row extends GrantRow {
  at: number;
  status: AppStatus;
  system: boolean;
  developer_id: string | null;
  developer_tenant: string | null;
  is_other_version: boolean;
  account: Account | null;
  is_installed: boolean;
  is_disabled: boolean;
  /** Null where the tenant has no rule for the app. */
  policy: PolicyRow | null;
}

export const MAX_STANDINGS = 1_000;
const AT_ONCE = 2;
const USER_ID = /^[\w-]{1,64}$/;

/** The host follows what is deployed, and a run that began before goes on. */
const OLDER_VERSION_RUNS_FOR = '10 minutes';

const STATEMENT = `
  SELECT l.at::int - 1 AS at, a.status, a.system, a.developer_id, d.tenant_id AS developer_tenant,
    l.version IS NOT NULL AND r.version IS NULL AS is_other_version,
    (SELECT to_jsonb(account) FROM (SELECT ${ACCOUNT_COLUMNS} FROM users u ${ACCOUNT_JOINS} WHERE u.id = l.user_id) account) AS account,
    i.user_id IS NOT NULL AS is_installed, x.user_id IS NOT NULL AS is_disabled, to_jsonb(p) AS policy, ${GRANT_COLUMNS}
  FROM unnest((SELECT $1::text[]), (SELECT $2::text[]), (SELECT $3::text[]), (SELECT $4::text[]))
      WITH ORDINALITY AS l (app_id, user_id, version, sha256, at)
    JOIN apps a ON a.app_id = l.app_id
    LEFT JOIN users d ON d.id = a.developer_id
    LEFT JOIN app_versions v ON v.app_id = a.app_id AND v.version = a.served_version
    LEFT JOIN app_versions r ON r.app_id = a.app_id AND r.version = l.version AND r.sha256 = decode(l.sha256, 'hex') AND r.document IS NOT NULL
      AND (r.version = a.served_version OR (
        SELECT finished_at FROM deploys WHERE app_id = a.app_id AND status = 'success' ORDER BY number DESC LIMIT 1
      ) > now() - interval '${OLDER_VERSION_RUNS_FOR}')
    LEFT JOIN users t ON t.id = l.user_id
    LEFT JOIN installs i ON i.app_id = a.app_id AND i.user_id = l.user_id AND i.removed_at IS NULL
    LEFT JOIN disabled_extensions x ON x.app_id = a.app_id AND x.user_id = l.user_id
    LEFT JOIN access_policies p ON p.app_id = a.app_id AND p.tenant_id = t.tenant_id`;

/** Whom apps may act for at this moment, as the database says it: nothing is kept. */
@Injectable()
export class Standings {
  private readonly batches = new Batches((asked: Asked[]) => this.query(asked), { maxItems: MAX_STANDINGS, maxRunning: AT_ONCE });

  constructor(@Inject(DataSource) private readonly dataSource: DataSource) {}

  find(asked: Asked): Promise<Standing> {
    return this.batches.add(asked);
  }

  /** In their order, by one statement for every thousand. */
  findAll(asked: readonly Asked[]): Promise<Standing[]> {
    return Promise.all(asked.map((one) => this.find(one)));
  }

  private async query(asked: Asked[]): Promise<Standing[]> {
    // What PostgreSQL cannot hold would fail for everybody in the batch.
    const ids = asked.map(({ appId, userId }) => [isAppId(appId) ? appId : null, userId !== null && USER_ID.test(userId) ? userId : null]);
    const rows = await queryPrepared<Row>(this.dataSource, STATEMENT, [
      ids.map(([appId]) => appId),
      ids.map(([, userId]) => userId),
      asked.map(({ version }) => version?.version ?? null),
      asked.map(({ version }) => version?.sha256 ?? null),
    ]);
    const standings = asked.map((): Standing => ({ refusal: 'app_unavailable', developer: null, user: null }));
    for (const row of rows) standings[row.at] = standingOf(row, asked[row.at]?.userId ?? null);
    return standings;
  }
}

function standingOf(row: Row, userId: string | null): Standing {
  const { developer_id, developer_tenant, account } = row;
  const developer = developer_id !== null && developer_tenant !== null ? { userId: developer_id, tenantId: developer_tenant } : null;
  const refusal = appRefusal(row) ?? (userId === null ? null : userRefusal(row));
  return { refusal, developer, user: refusal === null && userId !== null && account ? servedUser(account, row) : null };
}

function appRefusal({ status, is_other_version }: Row): Refusal | null {
  if (status === 'suspended') return 'app_unavailable';
  return is_other_version ? 'other_version' : null;
}

/** Everybody has the system's own apps, and developers what they have not published; others have to be installed. */
function userRefusal({ status, system, developer_id, account, is_installed, is_disabled, policy }: Row): Refusal | null {
  if (!account || !canAuthenticate(account)) return 'user_inactive';
  if (status !== 'active' && developer_id !== account.user_id) return 'app_unavailable';
  if (status === 'active' && !system && !is_installed) return 'not_installed';
  if (is_disabled) return 'disabled';
  const subject = { userId: account.user_id, role: account.role, scopes: effectiveScopes(account) };
  return hasAccess(policy ?? EVERYBODY, subject) ? null : 'closed';
}

const servedUser = (account: Account, row: Row): ServedUser => ({
  userId: account.user_id,
  tenantId: account.tenant_id,
  role: account.role,
  scopes: scopesInForce(effectiveScopes(account), grantedScopes(row)),
});
