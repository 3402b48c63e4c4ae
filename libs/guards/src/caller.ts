/** A signed-in user, by access token or API key. Role and scopes are the current ones, not those of the token. */
export interface UserCaller {
  kind: 'user';
  userId: string;
  tenantId: string;
  /** The session of the access token; absent for an acting user. */
  sessionId?: string;
  role: string;
  scopes: readonly string[];
}

/** A trusted backend, by service token; `actingUser` when it acts for somebody. */
export interface ServiceCaller {
  kind: 'service';
  service: string;
  actingUser?: UserCaller;
}

export type Caller = UserCaller | ServiceCaller;

/** For logs and audit: `user:usr_…`, `service:panel`, `service:panel/user:usr_…`. */
export function callerName(caller: Caller): string {
  if (caller.kind === 'user') return `user:${caller.userId}`;
  return caller.actingUser ? `service:${caller.service}/user:${caller.actingUser.userId}` : `service:${caller.service}`;
}

const ADMIN_ROLES: readonly string[] = ['admin'];

export const isAdmin = (caller: Caller): boolean => caller.kind === 'user' && ADMIN_ROLES.includes(caller.role);

/** `*` grants everything, `users:*` every action on users. Older clients separate with a dot; both spellings match. */
export function hasScope(scopes: readonly string[], wanted: string): boolean {
  const [resource] = wanted.split(/[:.]/);
  const same = wanted.replace('.', ':');
  return scopes.some((scope) => scope === '*' || scope.replace('.', ':') === `${resource}:*` || scope.replace('.', ':') === same);
}
