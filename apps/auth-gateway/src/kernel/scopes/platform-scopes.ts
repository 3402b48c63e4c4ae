import { KEY_SCOPES, type ActionType } from '@platform/contracts';

/** Resources that routes of the platform require scopes for. */
const RESOURCES = { users: 'users', roles: 'roles', scopes: 'scopes', tenants: 'tenants', agencies: 'agencies' };
const ACTIONS = { read: 'See', write: 'Create and change' };

/** Catalogue of platform scopes. It takes precedence over the rows of the database. */
export const PLATFORM_SCOPES_CATALOGUE = Object.entries(RESOURCES).flatMap(([resource, shown]) =>
  Object.entries(ACTIONS).map(([action, verb]) => ({ name: `${resource}:${action}`, resource, action, displayName: `${verb} ${shown}` })),
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

/** True for a scope that can be registered: one action of a resource that is not the platform's. */
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
 * All existing scopes: the catalogue, the scopes of API keys, the scopes to call these apps and any
 * app, and the registered scopes. A registered scope with another form is ignored, even if the
 * database contains it.
 */
export function scopesThereAre({ registered, apps }: { registered: readonly string[]; apps: readonly string[] }): string[] {
  const all = [
    ...PLATFORM_SCOPES_CATALOGUE.map(({ name }) => name),
    ...Object.keys(KEY_SCOPES),
    ...[ANY_APP, ...apps].flatMap((app) => ACTIONS_OF_APPS.map((action) => `${app}:${action}`)),
    ...registered.filter(isOwnScope),
  ];
  return [...new Set(all)];
}

/**
 * Scopes that let a run of an app call a function for its user; one of them is enough. A function
 * of the platform requires the scope of the matching route instead, for API keys and apps alike.
 */
export const scopesToCall = (appId: string, { action_type: type, key_scope }: { action_type: ActionType; key_scope: string | null }) =>
  key_scope === null ? [`${appId}:${type}`, `${ANY_APP}:${type}`] : [key_scope];

/**
 * True if `scope` covers every app, including the app of `ofApp`, and the same action or any
 * action.
 */
export function standsForApp(scope: string, ofApp: string): boolean {
  const [resource, action] = scope.split(/[:.]/);
  const [app = '', what] = ofApp.split(/[:.]/);
  return resource === ANY_APP && !isPlatformResource(app) && (action === '*' || what === '*' || what === action);
}
