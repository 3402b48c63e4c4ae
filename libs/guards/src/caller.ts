import { ADMIN_ROLE, DEFAULT_TENANT } from '@platform/contracts';
import type { Actor } from '@platform/platform';

/** A signed-in user, by access token or API key. Role and scopes are the current ones, not those of the token. */
export interface UserCaller {
  kind: 'user';
  userId: string;
  tenantId: string;
  /** The session of the access token; absent for an API key and for an acting user. */
  sessionId?: string;
  /** The session is that of a command line, whose tokens are in a file: it releases no money. */
  isTerminal?: true;
  apiKeyId?: string;
  /** Of a call that a call led to: the further API keys that led to it. */
  otherKeyIds?: readonly string[];
  /** What the API key was given, whatever its owner holds of it; absent without a key. */
  keyScopes?: readonly string[];
  role: string;
  /** What the user holds; with an API key, what of it the key was given. */
  scopes: readonly string[];
  /** Of a call that a call led to: what the first one's credential was given. See `narrowingOf`. */
  narrowedTo?: readonly string[];
  /** The app whose run calls for the user, with the scopes of that run. */
  throughApp?: string;
  /** Further apps that led to the call: they called that app, deployed it, or led to the event or the rule that calls. */
  otherApps?: readonly string[];
}

/** An API key from whose call something follows, and what it was given, whatever its owner holds of it. */
export interface GivenKey {
  /** Null where it is not known. */
  id: string | null;
  /** Further keys that led to it: nothing follows from a key that is gone, so at most as many as a user has. */
  others?: readonly string[];
  scopes: readonly string[];
}

/** What a credential was given that is not all that its user holds: whatever follows from it gets no more. */
export interface Narrowing {
  /** Of what the user held then. */
  scopes: readonly string[];
  /** Null where no API key led to it. */
  key: GivenKey | null;
  /** The apps whose runs led to it, absent where none did: nothing follows from an app that may not act for the user any more. */
  apps?: readonly string[];
}

/** A trusted backend, by service token; `actingUser` when it acts for somebody. */
export interface ServiceCaller {
  kind: 'service';
  service: string;
  actingUser?: UserCaller;
}

export type Caller = UserCaller | ServiceCaller;

/** The person by whose rights a request is judged; undefined for a trusted backend that acts for nobody. */
export const userOf = (caller: Caller): UserCaller | undefined => (caller.kind === 'service' ? caller.actingUser : caller);

/**
 * What the caller was given where it is not all that the user holds, as the scopes of an API key or of an app's run: whatever follows from
 * the call gets no more. Null for the user in person.
 */
export function narrowingOf({ narrowedTo, apiKeyId, throughApp, scopes }: UserCaller): readonly string[] | null {
  if (throughApp !== undefined) return scopes;
  return narrowedTo ?? (apiKeyId === undefined ? null : scopes);
}

/**
 * A program calls with a credential of the user: an API key, an app, or a command line, whose tokens are in a file. It begins no payment and lets no money out. A trusted
 * backend in whose pages the user is counts as the user.
 */
export const isProgram = ({ apiKeyId, keyScopes, throughApp, isTerminal }: UserCaller): boolean =>
  apiKeyId !== undefined || keyScopes !== undefined || throughApp !== undefined || isTerminal === true;

/** The API key that calls, or from whose call this one follows; null without one. */
export const keyOf = ({ apiKeyId, otherKeyIds, keyScopes }: UserCaller): GivenKey | null =>
  keyScopes ? { id: apiKeyId ?? null, ...(otherKeyIds && { others: otherKeyIds }), scopes: keyScopes } : null;

/** The other way round: what a caller has of the API key from whose call theirs follows. */
export const calledBy = (key: GivenKey | null): Pick<UserCaller, 'apiKeyId' | 'otherKeyIds' | 'keyScopes'> =>
  key ? { keyScopes: key.scopes, ...(key.id !== null && { apiKeyId: key.id }), ...(key.others && { otherKeyIds: key.others }) } : {};

/**
 * What the user leaves behind may do at most when it acts later, such as code that is deployed or a run that begins; null where that is
 * all that they hold by then. A run of an app leaves behind no more than the run has.
 */
export function lastingNarrowing(user: UserCaller): Narrowing | null {
  const scopes = narrowingOf(user);
  return scopes && { scopes: commonScopes(scopes, user.scopes), key: keyOf(user), ...throughApps(appsOf(user)) };
}

/** The apps from whose runs the call follows. */
const appsOf = ({ throughApp, otherApps = [] }: UserCaller): readonly string[] =>
  throughApp === undefined ? otherApps : [throughApp, ...otherApps];

/** As a narrowing has them: each once, sorted. */
export const throughApps = (apps: readonly string[]): Pick<Narrowing, 'apps'> => (apps.length ? { apps: [...new Set(apps)].sort() } : {});

/** What both allow. */
export function narrower(some: Narrowing, other: Narrowing | null): Narrowing;
export function narrower(some: Narrowing | null, other: Narrowing | null): Narrowing | null;
export function narrower(some: Narrowing | null, other: Narrowing | null): Narrowing | null {
  if (!some || !other) return some ?? other;
  const apps = throughApps([...(some.apps ?? []), ...(other.apps ?? [])]);
  return { scopes: commonScopes(some.scopes, other.scopes), key: narrowerKey(some.key, other.key), ...apps };
}

function narrowerKey(some: GivenKey | null, other: GivenKey | null): GivenKey | null {
  if (!some || !other) return some ?? other;
  const ids = [some.id, ...(some.others ?? []), other.id, ...(other.others ?? [])].filter((id) => id !== null);
  const [id = null, ...others] = new Set(ids);
  return { id, ...(others.length && { others }), scopes: commonScopes(some.scopes, other.scopes) };
}

/** For logs and audit: `user:usr_…`, `user:usr_…/key:key_…`, `service:panel`, `service:panel/user:usr_…`. */
export function callerName(caller: Caller): string {
  if (caller.kind === 'user') return caller.apiKeyId ? `user:${caller.userId}/key:${caller.apiKeyId}` : `user:${caller.userId}`;
  return caller.actingUser ? `service:${caller.service}/user:${caller.actingUser.userId}` : `service:${caller.service}`;
}

export function actorOf(caller: Caller): Actor {
  if (caller.kind === 'service')
    return { type: 'service', id: caller.service, ...(caller.actingUser && { onBehalfOf: caller.actingUser.userId }) };
  if (caller.apiKeyId) return { type: 'api_key', id: caller.apiKeyId, onBehalfOf: caller.userId };
  return { type: 'user', id: caller.userId };
}

/**
 * Whether the person who calls, or for whom a trusted backend acts, is an administrator. Their API key is one only when it was given all
 * scopes, and so is what follows from a call, and an app that runs for them: what is for one purpose must not do everything.
 */
export function isAdmin(caller: Caller): boolean {
  const user = userOf(caller);
  if (!user || user.role !== ADMIN_ROLE) return false;
  return narrowingOf(user) === null || user.scopes.includes('*');
}

/** Whether somebody may do what concerns every tenant: an administrator of the platform's own, or a trusted backend as far as whom it acts for. */
export function runsPlatform(caller: Caller): boolean {
  const user = userOf(caller);
  return !user || (user.tenantId === DEFAULT_TENANT && isAdmin(user));
}

/** `*` grants everything, `users:*` every action on users. Older clients separate with a dot; both spellings match. */
export function hasScope(scopes: readonly string[], wanted: string): boolean {
  if (wanted === '*') return scopes.includes('*');
  const [resource] = wanted.split(/[:.]/);
  const same = wanted.replace('.', ':');
  return scopes.some((scope) => scope === '*' || scope.replace('.', ':') === `${resource}:*` || scope.replace('.', ':') === same);
}

/** What both allow: of `*` and `users:read`, `users:read`. Sorted. */
export function commonScopes(some: readonly string[], others: readonly string[]): string[] {
  const common = [...some.filter((scope) => hasScope(others, scope)), ...others.filter((scope) => hasScope(some, scope))];
  return [...new Set(common)].sort();
}
