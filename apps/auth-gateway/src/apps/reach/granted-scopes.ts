import { commonScopes, type Narrowing } from '@platform/guards';
import { LRUCache } from 'lru-cache';
import { keyIsInvalid } from '../../identity/api-keys/invalid-keys.js';

/**
 * True if the installation `i` got scopes through an API key that was deleted or has expired. False
 * without an installation.
 */
export const GRANTING_KEY_IS_INVALID = `(i.granted_by IS NOT NULL AND ${keyIsInvalid('i.granted_by')})`;

/**
 * True if only API keys made the installation `i`, and one of them was deleted or has expired: no
 * user has agreed to the app. False without an installation.
 */
export const IS_WITHOUT_CONSENT = `(i.granted_in_person IS NULL AND ${GRANTING_KEY_IS_INVALID})`;

/**
 * Scopes granted by the installation `i`. If an API key that granted scopes no longer exists, only
 * the scopes that the user granted in person. Null without an installation.
 */
export const GRANTED_SCOPES = `CASE WHEN ${GRANTING_KEY_IS_INVALID} THEN coalesce(i.granted_in_person, '{}') ELSE i.granted_scopes END`;

/**
 * True if `l.user_id` uses `apps a` as its developer: the app is not published, or it is their own
 * published app that they have never installed. The app then acts within the permissions of its
 * last deploy. A developer who has installed the app counts as a normal user, also after removing
 * it.
 */
export const AS_DEVELOPER = `(a.status <> 'active' OR NOT a.system AND a.developer_id IS NOT DISTINCT FROM l.user_id
  AND NOT EXISTS (SELECT FROM installs had WHERE had.app_id = a.app_id AND had.user_id = l.user_id))`;

/**
 * Columns of `GrantRow` without `narrowing`, from `apps a`, its served version `v` and the
 * installation `i`.
 */
export const GRANT_COLUMNS = `coalesce(v.requested_scopes, '{}') AS requested_scopes,
  CASE WHEN a.status = 'active' AND NOT a.system THEN ${GRANTED_SCOPES} END AS granted_scopes`;

/**
 * SQL for the limit (`Narrowing`) of a version of `apps a`; null for a published app, which acts by
 * the grants of its users.
 *
 * @param version alias of `app_versions`.
 * @param asDeveloper SQL condition for a user who uses the app as its developer, without a grant.
 */
export function versionNarrowingSql(version: 'v' | 'r', asDeveloper = "a.status <> 'active'"): string {
  return `CASE WHEN ${asDeveloper} THEN ${version}.narrowing END`;
}

export interface GrantRow {
  /** Requested scopes of the served version. */
  requested_scopes: string[];
  /**
   * Null if no grant is needed: for a system app, or the user's own app that is not published or
   * not installed. Then all requested scopes count.
   */
  granted_scopes: string[] | null;
  /**
   * Limit for a developer's own app: the permissions of the credential that deployed it. Null: all
   * permissions of the developer.
   */
  narrowing: Narrowing | null;
}

const KEPT_CHARACTERS = 4 * 1024 * 1024;
const inForce = new LRUCache<string, readonly string[]>({
  maxSize: KEPT_CHARACTERS,
  sizeCalculation: (scopes, key) => key.length + scopes.join().length,
});

/** Returns the scopes that both lists allow, like `commonScopes`, with a cache. */
export function intersectScopes(held: readonly string[], given: readonly string[]): readonly string[] {
  const key = JSON.stringify([held, given]);
  let scopes = inForce.get(key);
  if (!scopes) inForce.set(key, (scopes = commonScopes(held, given)));
  return scopes;
}

/**
 * Returns the scopes that an app has for a user: the granted scopes that its served version still
 * requests. For an app without a grant: the requested scopes, within the limit of the deploy if it
 * has one.
 */
export function getGrantedScopes({
  granted_scopes: granted,
  requested_scopes: requested,
  narrowing,
}: GrantRow): readonly string[] {
  const given = granted ?? narrowing?.scopes;
  return given ? intersectScopes(given, requested) : requested;
}
