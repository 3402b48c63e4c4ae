import type { Narrowing } from '@platform/guards';
import { columns, type RowOf } from '@platform/persistence';
import { App } from '../../apps/model/app.entity.js';
import { ACCOUNT_COLUMNS, ACCOUNT_JOINS, effectiveScopes, type Account } from '../../identity/sessions/signed-in-account.js';
import { ACCOUNT_IS_USABLE } from '../../identity/sessions/signed-in-users.js';
import { canAuthenticate } from '../../identity/accounts/can-authenticate.js';
import { hasAccess, type PolicyRow } from '../access/access-rules.js';
import {
  AS_DEVELOPER,
  GRANT_COLUMNS,
  IS_UNAGREED,
  narrowingOfVersion,
  scopesInForce,
  type GrantRow,
} from '../../apps/reach/granted-scopes.js';
import { grantsOf, restrictionsOf } from '../../apps/reach/apps-gone.js';
import { APP_IS_GONE, KEY_IS_GONE, SERVED_APP_IS_GONE, SERVED_KEY_IS_GONE } from '../../apps/reach/served-authority.js';
import type { Refusal } from './run-grants.errors.js';

const OF_APP = columns(App, ['status', 'system', 'developerId', 'stoppedByPlatform'], 'a');

/** What decides whether an app may act for a user, or the user call it. */
export interface EligibilityRow extends GrantRow, RowOf<typeof OF_APP> {
  /** See `AS_DEVELOPER`. */
  as_developer: boolean;
  /** See `MAY_RUN`. */
  may_run: boolean;
  /** See `SERVED_KEY_IS_GONE`; false for who does not have it as its developer. */
  is_key_gone: boolean;
  /** See `SERVED_APP_IS_GONE`; false for who does not have it as its developer. */
  is_app_gone: boolean;
  /**
   * The rules by which the tenant asks for scopes of the apps that had what is served deployed; null for who does not have it as its
   * developer, and for none.
   */
  restrictions: PolicyRow[] | null;
  /** What the developer grants each of these apps now; null for who does not have it as its developer, and for none. */
  app_grants: string[][] | null;
  /** Null for nobody. */
  account: Account | null;
  is_installed: boolean;
  /** See `IS_UNAGREED`. */
  is_unagreed: boolean;
  is_disabled: boolean;
  /** Null where the tenant has no rule for the app. */
  policy: PolicyRow | null;
}

/**
 * Whether anything of `apps a` runs at all. What is published runs for those who have it, whatever becomes of its developer; what is not
 * runs for its developer alone, and so as long as they may sign in, as the keys are there that had it deployed, and the apps may act for
 * them, and the platform has not stopped it.
 */
export const MAY_RUN = `(a.status = 'active' OR a.status <> 'suspended' AND NOT a.stopped_by_platform AND EXISTS (
  SELECT FROM users u JOIN tenants t ON t.id = u.tenant_id WHERE u.id = a.developer_id AND ${ACCOUNT_IS_USABLE}) AND NOT ${KEY_IS_GONE} AND NOT ${APP_IS_GONE})`;

/** The columns that matter only to the developer of an app. They are expensive. */
const DEVELOPER_COLUMNS = `${MAY_RUN} AS may_run,
  ${AS_DEVELOPER} AND ${SERVED_KEY_IS_GONE} AS is_key_gone, ${AS_DEVELOPER} AND ${SERVED_APP_IS_GONE} AS is_app_gone,
  CASE WHEN ${AS_DEVELOPER} THEN ${restrictionsOf("v.narrowing -> 'apps'", 's.tenant_id')} END AS restrictions,
  CASE WHEN ${AS_DEVELOPER} THEN ${grantsOf("v.narrowing -> 'apps'", 'a.developer_id')} END AS app_grants,
  ${narrowingOfVersion('v', AS_DEVELOPER)} AS narrowing`;
/** The same columns for everybody else, for whom they are constant. A row with `as_developer` may not run, in case somebody forgets to ask again. */
const DEVELOPER_COLUMNS_OF_OTHERS = `NOT ${AS_DEVELOPER} AS may_run, false AS is_key_gone, false AS is_app_gone,
  NULL::jsonb AS restrictions, NULL::jsonb AS app_grants, NULL::jsonb AS narrowing`;

/** The other columns of `EligibilityRow`, over `ELIGIBILITY_JOINS`. */
const ELIGIBILITY_COLUMNS = `${OF_APP}, ${AS_DEVELOPER} AS as_developer,
  (SELECT to_jsonb(account) FROM (SELECT ${ACCOUNT_COLUMNS} FROM users u ${ACCOUNT_JOINS} WHERE u.id = l.user_id) account) AS account,
  i.user_id IS NOT NULL AS is_installed, ${IS_UNAGREED} AS is_unagreed, x.user_id IS NOT NULL AS is_disabled, to_jsonb(p) AS policy, ${GRANT_COLUMNS}`;

const ELIGIBILITY_JOINS = `
  JOIN apps a ON a.app_id = l.app_id
  LEFT JOIN app_versions v ON v.app_id = a.app_id AND v.version = a.served_version
  LEFT JOIN users s ON s.id = l.user_id
  LEFT JOIN installs i ON i.app_id = a.app_id AND i.user_id = l.user_id AND i.removed_at IS NULL
  LEFT JOIN disabled_extensions x ON x.app_id = a.app_id AND x.user_id = l.user_id
  LEFT JOIN access_policies p ON p.app_id = a.app_id AND p.tenant_id = s.tenant_id`;

/** What is asked of apps and users, beside how they stand to each other. */
interface EligibilityAsked {
  /** Beside those of `EligibilityRow`. */
  columns: string;
  /** What gives `l (app_id, user_id)`. A pair without an app has no row, and the user may be null. */
  pairs: string;
  /** Further joins, and what follows behind them. */
  rest?: string;
}

/**
 * The statement for `EligibilityRow`, by which every rule about what a user may call, and what may act for them, is decided: over the pairs `l`, `apps a`, its
 * served version `v`, the user `s`, the installation `i`, what they switched off `x` and the rule `p` of their tenant.
 */
export const selectEligibility = (asked: EligibilityAsked): string => selectWith(DEVELOPER_COLUMNS, asked);

/**
 * The cheap form of `selectEligibility`: half the time. Where `as_developer` is true, the other columns are not valid: ask `selectEligibility` again
 * for that pair. While an app is not `active`, `as_developer` is true for everybody, so calls of drafts take both statements.
 */
export const selectEligibilityOfUsers = (asked: EligibilityAsked): string => selectWith(DEVELOPER_COLUMNS_OF_OTHERS, asked);

const selectWith = (ofDeveloper: string, { columns, pairs, rest = '' }: EligibilityAsked): string =>
  `SELECT ${columns}, ${ofDeveloper}, ${ELIGIBILITY_COLUMNS} FROM ${pairs} ${ELIGIBILITY_JOINS} ${rest}`;

/**
 * All apps of which `refusalOfUser` and what `RunEligibility` asks of a beginning could let one act for the user $1, and maybe more: what they
 * installed, what they develop and have not published, and what everybody has. Events of theirs are handed to no other, so whoever lets more
 * act for a user there lets more stand here.
 */
export const APPS_OF_USER = `
  SELECT app_id FROM installs WHERE user_id = $1 AND removed_at IS NULL
  UNION SELECT app_id FROM apps WHERE developer_id = $1 AND status <> 'active'
  UNION SELECT app_id FROM apps WHERE system AND status = 'active'`;
/** Of the developer $1, to whose apps events of nobody are handed. */
export const APPS_OF_DEVELOPER = 'SELECT app_id FROM apps WHERE developer_id = $1';

/**
 * Why the app may not act for the user, nor the user call it; null where both may. Everybody has the system's own apps, and developers
 * their own; others have to be installed: in person, or by API keys that are all there. A rule of the tenant is about the
 * user, whatever credential they use. `appIsGone` says the same in SQL, and `APPS_OF_USER` has all that could pass.
 *
 * @param isUninstalled whether the app is told that the user has removed it: all else has to be as for an app that they have.
 */
export function refusalOfUser(row: EligibilityRow, isUninstalled = false): Refusal | null {
  const { status, system, developer_id, as_developer, may_run, is_key_gone, is_app_gone, restrictions } = row;
  const { account, is_installed, is_unagreed, is_disabled, policy } = row;
  if (!account || !canAuthenticate(account)) return 'user_inactive';
  if (status !== 'active' && developer_id !== account.user_id) return 'app_unavailable';
  if (!may_run || is_key_gone || is_app_gone) return refusalOfApp({ is_key_gone, is_app_gone });
  if (isClosed(restrictions, account)) return 'app_gone';
  const isMissing = status === 'active' && !system && !is_installed && !as_developer;
  if (isUninstalled && !isMissing) return 'installed_again';
  if (isMissing && !isUninstalled) return 'not_installed';
  if (status === 'active' && !system && is_unagreed) return 'not_agreed';
  if (is_disabled) return 'disabled';
  return policy === null || hasAccess(policy, subjectOf(account)) ? null : 'closed';
}

/** Whether the app was stopped, by its developer or by the platform. */
export const isStopped = ({ status, stopped_by_platform }: Pick<EligibilityRow, 'status' | 'stopped_by_platform'>): boolean =>
  status === 'suspended' || stopped_by_platform;

/** As far as what is served may act for its developer: as whoever deployed it could, and no further than the apps that led to it may now. */
export const narrowingNow = ({ narrowing, app_grants: grants }: Pick<EligibilityRow, 'narrowing' | 'app_grants'>): Narrowing | null =>
  narrowing && { ...narrowing, scopes: (grants ?? []).reduce<readonly string[]>(scopesInForce, narrowing.scopes) };

/** Of an app of which nothing runs. */
export function refusalOfApp({ is_key_gone, is_app_gone }: Pick<EligibilityRow, 'is_key_gone' | 'is_app_gone'>): Refusal {
  if (is_key_gone) return 'key_gone';
  return is_app_gone ? 'app_gone' : 'app_unavailable';
}

/** Whether one of these rules is not for somebody. */
export const isClosed = (policies: readonly PolicyRow[] | null, account: Account): boolean =>
  policies?.some((policy) => !hasAccess(policy, subjectOf(account))) ?? false;

const subjectOf = (account: Account) => ({ userId: account.user_id, role: account.role, scopes: effectiveScopes(account) });
