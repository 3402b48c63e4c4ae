import { ADMIN_ROLE, DEFAULT_TENANT } from '@platform/contracts';
import type { Actor } from '@platform/platform';

/**
 * A user, by access token or API key. Role and scopes are the current ones, not those of the token.
 */
export interface UserCaller {
  kind: 'user';
  userId: string;
  tenantId: string;
  /** Session of the access token. Absent for an API key, and for an acting user. */
  sessionId?: string;
  /**
   * True if the session is of a command line, which keeps its tokens in a file. It cannot move
   * money.
   */
  isTerminal?: true;
  apiKeyId?: string;
  /** Further API keys that led to this call, if another call caused it. */
  otherKeyIds?: readonly string[];
  /** Scopes of the API key, even if its owner does not have them. Absent without a key. */
  keyScopes?: readonly string[];
  role: string;
  /** Scopes of the user; with an API key, only those that the key has too. */
  scopes: readonly string[];
  /**
   * Scopes of the credential of the first call, if another call caused this one. See `narrowingOf`.
   */
  narrowedTo?: readonly string[];
  /** The app that calls for the user during a run, with the scopes of that run. */
  throughApp?: string;
  /**
   * Further apps that led to the call: they called that app, deployed it, or caused the event or
   * the rule that calls.
   */
  otherApps?: readonly string[];
}

/** An API key that led to an action, and its scopes, even if its owner does not have them. */
export interface OriginKey {
  /** Null if it is not known. */
  id: string | null;
  /**
   * Further keys that led to the action. A deleted key allows no further actions, so there are at
   * most as many as a user has.
   */
  others?: readonly string[];
  scopes: readonly string[];
}

/**
 * Permissions of a credential that has fewer than its user. Everything that the credential causes
 * later has at most these permissions.
 */
export interface Narrowing {
  /** A part of the scopes that the user had at that time. */
  scopes: readonly string[];
  /** Null if no API key led to it. */
  key: OriginKey | null;
  /**
   * Apps that led to it by their runs; absent if there are none. An app that can no longer act for
   * the user allows no further actions.
   */
  apps?: readonly string[];
}

/** A trusted backend, by service token. `actingUser`: the user for whom it acts. */
export interface ServiceCaller {
  kind: 'service';
  service: string;
  actingUser?: UserCaller;
}

export type Caller = UserCaller | ServiceCaller;

/**
 * The user from whom the permissions of a request come: the caller or the acting user. Undefined
 * for a trusted backend that acts for itself.
 */
export const userOf = (caller: Caller): UserCaller | undefined =>
  caller.kind === 'service' ? caller.actingUser : caller;

/**
 * Scopes of the caller, if the credential does not have all scopes of the user, as an API key or a
 * run of an app. Everything that the call causes later gets at most these scopes. Null for the user
 * in person.
 */
export function narrowingOf({ narrowedTo, apiKeyId, throughApp, scopes }: UserCaller): readonly string[] | null {
  if (throughApp !== undefined) return scopes;
  return narrowedTo ?? (apiKeyId === undefined ? null : scopes);
}

/**
 * True if a program calls with a credential of the user: an API key, an app, or a command line,
 * which keeps its tokens in a file. A program cannot start a payment or a payout. A trusted backend
 * that shows its pages to the user counts as the user.
 */
export const isProgram = ({ apiKeyId, keyScopes, throughApp, isTerminal }: UserCaller): boolean =>
  apiKeyId !== undefined || keyScopes !== undefined || throughApp !== undefined || isTerminal === true;

/** The API key that calls, or that led to this call; null if there is none. */
export const keyOf = ({ apiKeyId, otherKeyIds, keyScopes }: UserCaller): OriginKey | null =>
  keyScopes ? { id: apiKeyId ?? null, ...(otherKeyIds && { others: otherKeyIds }), scopes: keyScopes } : null;

/**
 * The inverse of `keyOf`: the fields of a caller for the API key that led to the call; empty for
 * null.
 */
export const callerFieldsOfKey = (key: OriginKey | null): Pick<UserCaller, 'apiKeyId' | 'otherKeyIds' | 'keyScopes'> =>
  key
    ? {
        keyScopes: key.scopes,
        ...(key.id !== null && { apiKeyId: key.id }),
        ...(key.others && { otherKeyIds: key.others }),
      }
    : {};

/**
 * Maximum permissions of later actions that the user prepares now, such as deployed code or a run
 * that begins. Null if they have all permissions that the user has at that later time. A run of an
 * app gives at most its own permissions.
 */
export function lastingNarrowing(user: UserCaller): Narrowing | null {
  const scopes = narrowingOf(user);
  return scopes && { scopes: commonScopes(scopes, user.scopes), key: keyOf(user), ...appsNarrowing(appsOf(user)) };
}

/** All apps that led to the call: the one that calls, and those that caused its call. */
const appsOf = ({ throughApp, otherApps = [] }: UserCaller): readonly string[] =>
  throughApp === undefined ? otherApps : [throughApp, ...otherApps];

/** Apps for the field `apps` of a `Narrowing`: each once, sorted; no field if there are none. */
export const appsNarrowing = (apps: readonly string[]): Pick<Narrowing, 'apps'> =>
  apps.length ? { apps: [...new Set(apps)].sort() } : {};

/**
 * Combines two limits of permissions: the scopes that both allow, with all API keys and apps that
 * led to either. Null stands for no limit; the result is null if both are null.
 */
export function intersectNarrowings(some: Narrowing, other: Narrowing | null): Narrowing;
export function intersectNarrowings(some: Narrowing | null, other: Narrowing | null): Narrowing | null;
export function intersectNarrowings(some: Narrowing | null, other: Narrowing | null): Narrowing | null {
  if (!some || !other) return some ?? other;
  const apps = appsNarrowing([...(some.apps ?? []), ...(other.apps ?? [])]);
  return { scopes: commonScopes(some.scopes, other.scopes), key: narrowerKey(some.key, other.key), ...apps };
}

function narrowerKey(some: OriginKey | null, other: OriginKey | null): OriginKey | null {
  if (!some || !other) return some ?? other;
  const ids = [some.id, ...(some.others ?? []), other.id, ...(other.others ?? [])].filter((id) => id !== null);
  const [id = null, ...others] = new Set(ids);
  return { id, ...(others.length && { others }), scopes: commonScopes(some.scopes, other.scopes) };
}

/**
 * Name for logs and audit: `user:usr_…`, `user:usr_…/key:key_…`, `service:panel`,
 * `service:panel/user:usr_…`.
 */
export function callerName(caller: Caller): string {
  if (caller.kind === 'user')
    return caller.apiKeyId ? `user:${caller.userId}/key:${caller.apiKeyId}` : `user:${caller.userId}`;
  return caller.actingUser ? `service:${caller.service}/user:${caller.actingUser.userId}` : `service:${caller.service}`;
}

export function actorOf(caller: Caller): Actor {
  if (caller.kind === 'service')
    return { type: 'service', id: caller.service, ...(caller.actingUser && { onBehalfOf: caller.actingUser.userId }) };
  if (caller.apiKeyId) return { type: 'api_key', id: caller.apiKeyId, onBehalfOf: caller.userId };
  return { type: 'user', id: caller.userId };
}

/**
 * True if the caller, or the user for whom a trusted backend acts, is an administrator. For an API
 * key of an administrator, for a call that another call caused, and for an app that runs for an
 * administrator, true only with all scopes (`*`): a credential for one purpose must not allow
 * everything.
 */
export function isAdmin(caller: Caller): boolean {
  const user = userOf(caller);
  if (!user || user.role !== ADMIN_ROLE) return false;
  return narrowingOf(user) === null || user.scopes.includes('*');
}

/**
 * True if the caller can do things that affect every tenant: an administrator of the platform's own
 * tenant, or a trusted backend that acts for itself or for one of these administrators.
 */
export function isPlatformAdmin(caller: Caller): boolean {
  const user = userOf(caller);
  return !user || (user.tenantId === DEFAULT_TENANT && isAdmin(user));
}

/**
 * True if one of `scopes` grants the scope `wanted`: `*` grants everything, `users:*` every action
 * on users, and only `*` grants `*`. Older clients write a dot instead of the colon; both match.
 */
export function hasScope(scopes: readonly string[], wanted: string): boolean {
  if (wanted === '*') return scopes.includes('*');
  const [resource] = wanted.split(/[:.]/);
  const same = wanted.replace('.', ':');
  return scopes.some(
    (scope) => scope === '*' || scope.replace('.', ':') === `${resource}:*` || scope.replace('.', ':') === same,
  );
}

/** Scopes that both lists allow, sorted. For `*` and `users:read` this is `users:read`. */
export function commonScopes(some: readonly string[], others: readonly string[]): string[] {
  const common = [
    ...some.filter((scope) => hasScope(others, scope)),
    ...others.filter((scope) => hasScope(some, scope)),
  ];
  return [...new Set(common)].sort();
}
