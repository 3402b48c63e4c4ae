/**
 * Permissions of backends. `*` gives all of them. Every route that accepts service tokens requires
 * one of these permissions.
 */
export const SERVICE_PERMISSIONS = {
  accounts: 'create accounts',
  sessions: 'list, check and revoke sessions',
  'panel-sign-in': 'complete a login at a panel: link the user to their user in the Cases API, register the session',
  'cli-login': 'sign in command lines: one-time codes, device logins',
  users: 'manage the users of a tenant',
  roles: 'manage roles',
  scopes: 'manage scopes, and read the scopes of users',
  tenants: 'manage tenants',
  agencies: 'manage agencies, their settings and themes',
  audit: 'read the audit log',
  profile: "read and change a user's own profile",
  extensions: 'manage access to extensions: access policies, installs, disabled extensions of users',
  calls: 'for a user: call functions of extensions, answer confirmations, follow and cancel tasks',
  secrets: "manage a user's secrets for extensions",
  marketplace: 'read the marketplace, and write reviews for a user',
  automations: "manage a user's automations",
  events: 'follow the events of a tenant, or of a user',
  webhooks: 'manage outgoing webhooks of a tenant: endpoints and deliveries',
  actions: 'record actions, and read the statistics of the marketplace',
  billing: "manage a user's wallet, plan, limits, earnings and payouts",
  'billing-admin': 'add and take credits, decide about payouts, apply prices',
  developer: 'use the developer portal, for one developer or for all',
  manifests: 'push the manifests that a pipeline has built',
  'app-review': 'approve and suspend apps, and set the tiers of developers',
  catalog: 'read the catalog of the Registry: apps, tools, settings',
  'catalog-write': 'change the catalog of the Registry',
  installs: "manage a user's installs at the Registry",
} as const;

/**
 * Permissions for calls between the services of the platform, below `/v1/internal/`. `*` does not
 * include them: an operator must name them to give them to another token.
 */
export const INTERNAL_PERMISSIONS = {
  'extension-host': 'calls of the host to the gateway',
  'api-key-owners': 'find the owner of an API key',
  'withheld-apps': 'find the apps that a user cannot call',
  'install-changes': 'follow changes of installs at the Registry',
  runs: 'run functions and smoke tests at the host',
  'app-data': 'read and change secrets, logs, schedules and webhook deliveries of apps at the host',
  'event-deliveries': 'deliver events to the host',
} as const;

export type ServicePermission = keyof typeof SERVICE_PERMISSIONS | keyof typeof INTERNAL_PERMISSIONS;

/**
 * Services of the platform by the names of their tokens, with the permissions that their clients
 * need. They have no other permissions.
 */
export const PLATFORM_SERVICES: Record<string, readonly ServicePermission[]> = {
  panel: ['cli-login', 'panel-sign-in'],
  gateway: ['catalog', 'catalog-write', 'installs', 'install-changes', 'runs', 'app-data', 'event-deliveries'],
  registry: ['api-key-owners', 'withheld-apps'],
  'ext-webhook-host': ['extension-host'],
};

export const isServicePermission = (name: string): name is ServicePermission =>
  Object.hasOwn(SERVICE_PERMISSIONS, name) || Object.hasOwn(INTERNAL_PERMISSIONS, name);

/**
 * Service to which a token name belongs: the name without the number that a new token has during a
 * rotation. `panel-2` is `panel`.
 */
export const serviceOf = (tokenName: string): string => tokenName.replace(/-[0-9]+$/, '');
