import { commonScopes, type Narrowing } from '@platform/guards';
import { LRUCache } from 'lru-cache';
import { keyIsGone } from '../../identity/api-keys/key-is-gone.js';

/** Whether an API key is gone that granted something by the installation `i`. False without an installation. */
export const GRANTING_KEY_IS_GONE = `(i.granted_by IS NOT NULL AND ${keyIsGone('i.granted_by')})`;

/** Whether the installation `i` was made by API keys alone and one of them is gone, so that nobody agreed to the app. False without an installation. */
export const IS_UNAGREED = `(i.granted_in_person IS NULL AND ${GRANTING_KEY_IS_GONE})`;

/** What the user granted by the installation `i`: in person only, once an API key is gone that granted more. Null without an installation. */
export const GRANTED_SCOPES = `CASE WHEN ${GRANTING_KEY_IS_GONE} THEN coalesce(i.granted_in_person, '{}') ELSE i.granted_scopes END`;

/**
 * Whether `l.user_id` has `apps a` as its developer: what is not published nobody else has, and what is they need not install. It acts for them
 * then as far as whoever of theirs deployed it. Who has installed it is a user of it, and who has removed it has it no more.
 */
export const AS_DEVELOPER = `(a.status <> 'active' OR NOT a.system AND a.developer_id IS NOT DISTINCT FROM l.user_id
  AND NOT EXISTS (SELECT FROM installs had WHERE had.app_id = a.app_id AND had.user_id = l.user_id))`;

/** `GrantRow` without its `narrowing`, over `apps a`, its served version `v` and the installation `i`. */
export const GRANT_COLUMNS = `coalesce(v.requested_scopes, '{}') AS requested_scopes,
  CASE WHEN a.status = 'active' AND NOT a.system THEN ${GRANTED_SCOPES} END AS granted_scopes`;

/**
 * Of a version of `apps a`. What is published acts by what its users agreed to, whoever deployed it.
 *
 * @param asDeveloper whether it acts for somebody who has not agreed to it, since it is theirs.
 */
export function narrowingOfVersion(version: 'v' | 'r', asDeveloper = "a.status <> 'active'"): string {
  return `CASE WHEN ${asDeveloper} THEN ${version}.narrowing END`;
}

export interface GrantRow {
  /** Of the version that is served. */
  requested_scopes: string[];
  /** Null where nobody need agree: to the platform's own apps, and to one's own that is not published or not installed. Then what is asked for counts. */
  granted_scopes: string[] | null;
  /** Of what somebody has as its developer: what the credential was given with which its developer deployed it. Null: as the developer may. */
  narrowing: Narrowing | null;
}

const KEPT_CHARACTERS = 4 * 1024 * 1024;
const inForce = new LRUCache<string, readonly string[]>({
  maxSize: KEPT_CHARACTERS,
  sizeCalculation: (scopes, key) => key.length + scopes.join().length,
});

/** As `commonScopes`, and quick for what is asked again and again. */
export function scopesInForce(held: readonly string[], given: readonly string[]): readonly string[] {
  const key = JSON.stringify([held, given]);
  let scopes = inForce.get(key);
  if (!scopes) inForce.set(key, (scopes = commonScopes(held, given)));
  return scopes;
}

/** What a user granted an app, as far as its served version still asks for it; of one's own that one has not installed, as far as whoever deployed it could. */
export function grantedScopes({ granted_scopes: granted, requested_scopes: requested, narrowing }: GrantRow): readonly string[] {
  const given = granted ?? narrowing?.scopes;
  return given ? scopesInForce(given, requested) : requested;
}
