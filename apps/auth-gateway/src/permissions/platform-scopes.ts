/** What the platform's own routes ask for, by resource. */
const RESOURCES = { users: 'users', roles: 'roles', scopes: 'scopes', tenants: 'tenants', agencies: 'agencies' };
const ACTIONS = { read: 'See', write: 'Create and change' };

/** The catalogue: what it says counts, whatever is in the database. */
export const PLATFORM_SCOPES_CATALOGUE = Object.entries(RESOURCES).flatMap(([resource, shown]) =>
  Object.entries(ACTIONS).map(([action, verb]) => ({ name: `${resource}:${action}`, resource, action, displayName: `${verb} ${shown}` })),
);

/** What belongs to the platform, or may one day: nobody else gives a scope or an app such a name. */
const PLATFORM_RESOURCES = new Set([
  ...Object.keys(RESOURCES),
  ...`accounts actions admin apps audit automations billing catalog confirmations developer extensions gateway installs kernel keys marketplace mcp
  notifications panel platform profile rbac registry secrets sessions system user wallet`.split(/\s+/),
]);

export const isPlatformResource = (resource: string): boolean => PLATFORM_RESOURCES.has(resource);

const LITERAL = /^([a-z0-9_-]{1,64}):[a-z0-9_-]{1,64}$/;

/** Whether somebody may have registered it: one action of a resource that is not the platform's. */
export function isOwnScope(name: string): boolean {
  const resource = LITERAL.exec(name)?.[1];
  return resource !== undefined && !isPlatformResource(resource);
}

/**
 * What a wildcard is cut to when a part of it is denied: the catalogue, and of what was registered each scope as itself. A row of another
 * kind, however it came into the database, counts for nothing.
 */
export const knownScopes = (registered: readonly string[]): string[] => [
  ...PLATFORM_SCOPES_CATALOGUE.map(({ name }) => name),
  ...registered.filter(isOwnScope),
];
