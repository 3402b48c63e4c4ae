import { KEY_SCOPES, type ActionType } from '@platform/contracts';

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
function isOwnScope(name: string): boolean {
  const resource = LITERAL.exec(name)?.[1];
  return resource !== undefined && !isPlatformResource(resource);
}

/** Of an app: what apps that call it need, by the type of the function, and what a key needs. */
const ACTIONS_OF_APPS = ['read', 'write', 'destructive', 'call'];
/** Stands for every app that is not the platform's own. */
const ANY_APP = 'extensions';

/**
 * Which scopes there are: the catalogue, those for one's own things, those for calls of these apps and of any, and of what was registered
 * each scope as itself. A row of another kind, however it came into the database, counts for nothing.
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
 * One of these lets a run of an app call a function for its user. What the platform's own functions need, they need of keys and of apps
 * alike: the scope of the route that does the same.
 */
export const scopesToCall = (appId: string, { action_type: type, key_scope }: { action_type: ActionType; key_scope: string | null }) =>
  key_scope === null ? [`${appId}:${type}`, `${ANY_APP}:${type}`] : [key_scope];

/** Whether the first stands for every app, also for the one that the other is of, and both for the same action or any. */
export function standsForApp(scope: string, ofApp: string): boolean {
  const [resource, action] = scope.split(/[:.]/);
  const [app = '', what] = ofApp.split(/[:.]/);
  return resource === ANY_APP && !isPlatformResource(app) && (action === '*' || what === '*' || what === action);
}
