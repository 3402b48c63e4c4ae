import type { Narrowing } from '@platform/guards';
import { columns, type RowOf } from '@platform/persistence';
import { App } from '../../apps/model/app.entity.js';
import {
  ACCOUNT_COLUMNS,
  ACCOUNT_JOINS,
  getEffectiveScopes,
  type Account,
} from '../../identity/sessions/signed-in-account.js';
import { ACCOUNT_IS_USABLE } from '../../identity/sessions/signed-in-users.service.js';
import { canAuthenticate } from '../../identity/accounts/can-authenticate.js';
import { hasAccess, type PolicyRow } from '../access/access-rules.js';
import {
  AS_DEVELOPER,
  GRANT_COLUMNS,
  IS_WITHOUT_CONSENT,
  versionNarrowingSql,
  intersectScopes,
  type GrantRow,
} from '../../apps/reach/granted-scopes.js';
import { grantedScopesSql, restrictionsSql } from '../../apps/reach/revoked-apps.js';
import {
  APP_IS_REVOKED,
  KEY_IS_INVALID,
  SERVED_APP_IS_REVOKED,
  SERVED_KEY_IS_INVALID,
} from '../../apps/reach/served-authority.js';
import type { Refusal } from './run-grants.errors.js';

const OF_APP = columns(App, ['status', 'system', 'developerId', 'stoppedByPlatform'], 'a');

/** Facts that decide if an app can act for a user, and if the user can call it. */
export interface EligibilityRow extends GrantRow, RowOf<typeof OF_APP> {
  /** See `AS_DEVELOPER`. */
  as_developer: boolean;
  /** See `MAY_RUN`. */
  may_run: boolean;
  /** See `SERVED_KEY_IS_INVALID`; false unless `as_developer`. */
  is_key_gone: boolean;
  /** See `SERVED_APP_IS_REVOKED`; false unless `as_developer`. */
  is_app_gone: boolean;
  /**
   * Access rules of the tenant that ask for scopes, for the apps that deployed the served version.
   * Null unless `as_developer`, and if there are none.
   */
  restrictions: PolicyRow[] | null;
  /**
   * Scopes that the developer grants to each of these apps now. Null unless `as_developer`, and if
   * there are none.
   */
  app_grants: string[][] | null;
  /** Null without a user. */
  account: Account | null;
  is_installed: boolean;
  /** See `IS_WITHOUT_CONSENT`. */
  is_unagreed: boolean;
  is_disabled: boolean;
  /** Null if the tenant has no access rule for the app. */
  policy: PolicyRow | null;
}

/**
 * SQL: true if `apps a` can run. A published app runs for the users who have it, even if its
 * developer was deleted or blocked. An unpublished app runs only for its developer, and only while
 * the developer can sign in, the API keys that deployed it exist, the apps that deployed it can act
 * for the developer, and the platform has not stopped it.
 */
export const MAY_RUN = `(a.status = 'active' OR a.status <> 'suspended' AND NOT a.stopped_by_platform AND EXISTS (
  SELECT FROM users u JOIN tenants t ON t.id = u.tenant_id WHERE u.id = a.developer_id AND ${ACCOUNT_IS_USABLE}) AND NOT ${KEY_IS_INVALID} AND NOT ${APP_IS_REVOKED})`;

/** Columns that matter only to the developer of an app. They are expensive. */
const DEVELOPER_COLUMNS = `${MAY_RUN} AS may_run,
  ${AS_DEVELOPER} AND ${SERVED_KEY_IS_INVALID} AS is_key_gone, ${AS_DEVELOPER} AND ${SERVED_APP_IS_REVOKED} AS is_app_gone,
  CASE WHEN ${AS_DEVELOPER} THEN ${restrictionsSql("v.narrowing -> 'apps'", 's.tenant_id')} END AS restrictions,
  CASE WHEN ${AS_DEVELOPER} THEN ${grantedScopesSql("v.narrowing -> 'apps'", 'a.developer_id')} END AS app_grants,
  ${versionNarrowingSql('v', AS_DEVELOPER)} AS narrowing`;
/**
 * The same columns for all other users, as constants. `may_run` is false if `as_developer` is true,
 * so that a caller without the second query gets a refusal.
 */
const DEVELOPER_COLUMNS_OF_OTHERS = `NOT ${AS_DEVELOPER} AS may_run, false AS is_key_gone, false AS is_app_gone,
  NULL::jsonb AS restrictions, NULL::jsonb AS app_grants, NULL::jsonb AS narrowing`;

/** The other columns of `EligibilityRow`, over `ELIGIBILITY_JOINS`. */
const ELIGIBILITY_COLUMNS = `${OF_APP}, ${AS_DEVELOPER} AS as_developer,
  (SELECT to_jsonb(account) FROM (SELECT ${ACCOUNT_COLUMNS} FROM users u ${ACCOUNT_JOINS} WHERE u.id = l.user_id) account) AS account,
  i.user_id IS NOT NULL AS is_installed, ${IS_WITHOUT_CONSENT} AS is_unagreed, x.user_id IS NOT NULL AS is_disabled, to_jsonb(p) AS policy, ${GRANT_COLUMNS}`;

const ELIGIBILITY_JOINS = `
  JOIN apps a ON a.app_id = l.app_id
  LEFT JOIN app_versions v ON v.app_id = a.app_id AND v.version = a.served_version
  LEFT JOIN users s ON s.id = l.user_id
  LEFT JOIN installs i ON i.app_id = a.app_id AND i.user_id = l.user_id AND i.removed_at IS NULL
  LEFT JOIN disabled_extensions x ON x.app_id = a.app_id AND x.user_id = l.user_id
  LEFT JOIN access_policies p ON p.app_id = a.app_id AND p.tenant_id = s.tenant_id`;

/** Parts that a caller adds to the statement. */
interface EligibilityQuery {
  /** Columns besides those of `EligibilityRow`. */
  columns: string;
  /**
   * FROM item that gives `l (app_id, user_id)`. A pair with an unknown app has no row; the user can
   * be null.
   */
  pairs: string;
  /** Further joins, and clauses after them. */
  rest?: string;
}

/**
 * Statement for `EligibilityRow`. All rules about which apps a user can call, and which apps can
 * act for a user, are decided on its rows. Aliases: pairs `l`, `apps a`, its served version `v`,
 * the user `s`, the installation `i`, the disabled extension `x`, and the access rule `p` of the
 * user's tenant.
 */
export const selectEligibility = (asked: EligibilityQuery): string => selectWith(DEVELOPER_COLUMNS, asked);

/**
 * Cheap form of `selectEligibility` that takes half the time. If `as_developer` is true, the other
 * columns are not valid: query that pair again with `selectEligibility`. `as_developer` is true for
 * every user while an app is not `active`, so calls of drafts need both statements.
 */
export const selectEligibilityOfUsers = (asked: EligibilityQuery): string =>
  selectWith(DEVELOPER_COLUMNS_OF_OTHERS, asked);

const selectWith = (ofDeveloper: string, { columns, pairs, rest = '' }: EligibilityQuery): string =>
  `SELECT ${columns}, ${ofDeveloper}, ${ELIGIBILITY_COLUMNS} FROM ${pairs} ${ELIGIBILITY_JOINS} ${rest}`;

/**
 * All apps that `refusalOfUser` and `RunEligibilityService` could let act for the user $1 in the
 * background, and maybe more: installed apps, the user's own unpublished apps, and apps of the
 * platform. Events of the user go to no other app. A change there that lets more apps act must add
 * them here.
 */
export const APPS_OF_USER = `
  SELECT app_id FROM installs WHERE user_id = $1 AND removed_at IS NULL
  UNION SELECT app_id FROM apps WHERE developer_id = $1 AND status <> 'active'
  UNION SELECT app_id FROM apps WHERE system AND status = 'active'`;
/**
 * Apps of the developer $1. They receive events that have no user and come from an app of the same
 * developer.
 */
export const APPS_OF_DEVELOPER = 'SELECT app_id FROM apps WHERE developer_id = $1';

/**
 * Reason why the app cannot act for the user, nor the user call it; null if both are allowed. Apps
 * of the platform and a developer's own apps (`AS_DEVELOPER`) need no installation. Other apps must
 * be installed: in person, or by API keys that all still exist. An access rule of the tenant is
 * about the user, with any credential. `appIsRevoked` states the same rule in SQL, and
 * `APPS_OF_USER` contains all apps that can pass.
 *
 * @param isUninstalled true while the app is told that the user has removed it. All other
 * conditions are the same as for an installed app.
 */
export function refusalOfUser(row: EligibilityRow, isUninstalled = false): Refusal | null {
  const { status, system, developer_id, as_developer, may_run, is_key_gone, is_app_gone, restrictions } = row;
  const { account, is_installed, is_unagreed, is_disabled, policy } = row;
  if (!account || !canAuthenticate(account)) return 'user_inactive';
  if (status !== 'active' && developer_id !== account.user_id) return 'app_unavailable';
  if (!may_run || is_key_gone || is_app_gone) return refusalOfApp({ is_key_gone, is_app_gone });
  if (isExcluded(restrictions, account)) return 'app_gone';
  const isMissing = status === 'active' && !system && !is_installed && !as_developer;
  if (isUninstalled && !isMissing) return 'installed_again';
  if (isMissing && !isUninstalled) return 'not_installed';
  if (status === 'active' && !system && is_unagreed) return 'not_agreed';
  if (is_disabled) return 'disabled';
  return policy === null || hasAccess(policy, subjectOf(account)) ? null : 'closed';
}

/** True if the developer or the platform stopped the app. */
export const isStopped = ({
  status,
  stopped_by_platform,
}: Pick<EligibilityRow, 'status' | 'stopped_by_platform'>): boolean => status === 'suspended' || stopped_by_platform;

/**
 * Permission limit of the served version when it acts for its developer: the permissions of the
 * credential that deployed it, and at most those that the apps behind the deployment have now.
 * Null: no limit.
 */
export const currentNarrowing = ({
  narrowing,
  app_grants: grants,
}: Pick<EligibilityRow, 'narrowing' | 'app_grants'>): Narrowing | null =>
  narrowing && { ...narrowing, scopes: (grants ?? []).reduce<readonly string[]>(intersectScopes, narrowing.scopes) };

/**
 * Returns the reason why an app that cannot run is refused: `key_gone` or `app_gone` if that is the
 * cause, else `app_unavailable`.
 */
export function refusalOfApp({
  is_key_gone,
  is_app_gone,
}: Pick<EligibilityRow, 'is_key_gone' | 'is_app_gone'>): Refusal {
  if (is_key_gone) return 'key_gone';
  return is_app_gone ? 'app_gone' : 'app_unavailable';
}

/** True if one of these access rules excludes the user. */
export const isExcluded = (policies: readonly PolicyRow[] | null, account: Account): boolean =>
  policies?.some((policy) => !hasAccess(policy, subjectOf(account))) ?? false;

const subjectOf = (account: Account) => ({
  userId: account.user_id,
  role: account.role,
  scopes: getEffectiveScopes(account),
});
