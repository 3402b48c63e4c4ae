import { KEY_SCOPES, type ActionType } from '@platform/contracts';

/** Resources that routes of the platform require scopes for. */
const RESOURCES = { users: 'users', roles: 'roles', scopes: 'scopes', tenants: 'tenants', agencies: 'agencies' };
const ACTIONS = { read: 'See', write: 'Create and change' };

/** Catalogue of platform scopes. It takes precedence over the rows of the database. */
export const PLATFORM_SCOPES_CATALOGUE = Object.entries(RESOURCES).flatMap(([resource, shown]) =>
  Object.entries(ACTIONS).map(([action, verb]) => ({
    name: `${resource}:${action}`,
    resource,
    action,
    displayName: `${verb} ${shown}`,
  })),
);

/**
 * Resources that belong to the platform now or in the future. Registered scopes and apps cannot
 * have these names.
 */
const PLATFORM_RESOURCES = new Set([
  ...Object.keys(RESOURCES),
  ...`accounts actions admin apps audit automations billing catalog confirmations developer extensions gateway installs kernel keys marketplace mcp
  notifications panel platform profile rbac registry secrets sessions system user wallet`.split(/\s+/),
]);

export const isPlatformResource = (resource: string): boolean => PLATFORM_RESOURCES.has(resource);

const LITERAL = /^([a-z0-9_-]{1,64}):[a-z0-9_-]{1,64}$/;

/**
 * True for a scope that a tenant can register: `resource:action`, not a wildcard, for a resource
 * that does not belong to the platform.
 */
function isOwnScope(name: string): boolean {
  const resource = LITERAL.exec(name)?.[1];
  return resource !== undefined && !isPlatformResource(resource);
}

/**
 * Actions in the scopes of an app. An app that calls it needs `read`, `write` or `destructive`,
 * depending on the type of the function; an API key needs `call`.
 */
const ACTIONS_OF_APPS = ['read', 'write', 'destructive', 'call'];
/** Resource of scopes for every app that does not belong to the platform. */
const ANY_APP = 'extensions';

/**
 * Lists all existing scopes, each once: the scopes of the platform, the scopes of API keys, four
 * scopes for each of `apps` and for any app (`extensions:…`), and the registered ones. A registered
 * scope is left out if it is not `resource:action` or names a resource of the platform.
 */
export function listExistingScopes({
  registered,
  apps,
}: {
  registered: readonly string[];
  apps: readonly string[];
}): string[] {
  const all = [
    ...PLATFORM_SCOPES_CATALOGUE.map(({ name }) => name),
    ...Object.keys(KEY_SCOPES),
    ...[ANY_APP, ...apps].flatMap((app) => ACTIONS_OF_APPS.map((action) => `${app}:${action}`)),
    ...registered.filter(isOwnScope),
  ];
  return [...new Set(all)];
}

/**
 * Returns the scopes that let a run of an app call a function for its user; one of them is enough:
 * `app:action` of the called app or `extensions:action`. A function of the platform requires the
 * scope of the matching route (`key_scope`) instead, for API keys and apps alike.
 */
export const getCallScopes = (
  appId: string,
  { action_type: type, key_scope }: { action_type: ActionType; key_scope: string | null },
) => (key_scope === null ? [`${appId}:${type}`, `${ANY_APP}:${type}`] : [key_scope]);

/**
 * True if `scope` is a scope for every app (`extensions:…`) that covers `ofApp`, a scope of one
 * app: the action is the same, or one of them is `*`. False if the resource of `ofApp` belongs to
 * the platform.
 */
export function coversAppScope(scope: string, ofApp: string): boolean {
  const [resource, action] = scope.split(/[:.]/);
  const [app = '', what] = ofApp.split(/[:.]/);
  return resource === ANY_APP && !isPlatformResource(app) && (action === '*' || what === '*' || what === action);
}
