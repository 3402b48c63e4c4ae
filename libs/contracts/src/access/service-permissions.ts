/** What a trusted backend can be allowed, beside `*`, which is all of these. A route that takes service tokens names one of them. */
export const SERVICE_PERMISSIONS = {
  accounts: 'register people',
  sessions: 'list, check and revoke sessions',
  'panel-sign-in': 'what a panel does when somebody signs in: link them to their user of the case system, register the session',
  'cli-login': 'sign terminals in: one-time codes, device logins',
  users: 'the users of a tenant',
  roles: 'roles',
  scopes: 'scopes, and what a user holds',
  tenants: 'tenants',
  agencies: 'agencies, their settings and themes',
  audit: 'the audit log',
  profile: "a person's own profile",
  extensions: 'which extensions there are for whom: access policies, installs, what a user switched off',
  calls: 'call functions of extensions, answer confirmations, and follow and cancel tasks, for a user',
  secrets: "a user's secrets for extensions",
  marketplace: 'read the marketplace, and review for a user',
  automations: "a user's automations",
  events: 'follow the events of a tenant, or of a user',
  webhooks: 'outgoing webhooks of a tenant: endpoints and what was sent to them',
  actions: 'record actions, and read the figures of the marketplace',
  billing: "a user's wallet, plan, limits, earnings and payouts",
  'billing-admin': 'give and take credits, decide about payouts, apply prices',
  developer: 'the developer portal, for a developer or all of them',
  manifests: 'hand over what a pipeline has built',
  'app-review': 'approve and suspend apps, and set the tiers of developers',
  catalog: 'read the catalog of the Registry: apps, tools, settings',
  'catalog-write': 'change the catalog of the Registry',
  installs: "a user's installs at the Registry",
} as const;

/**
 * What only the services of the platform ask each other, below `/v1/internal/`. `*` does not hold them: who gives one of them to
 * another name writes it out.
 */
export const INTERNAL_PERMISSIONS = {
  'extension-host': 'what the host of extensions asks the gateway for',
  'api-key-owners': 'whose an API key is',
  'withheld-apps': 'which of their apps a user may not call',
  'install-changes': 'installs at the Registry, as they change',
  runs: 'have the host run functions and smoke tests',
  'app-data': 'secrets, logs, schedules and webhook deliveries of apps at the host',
  'event-deliveries': 'hand events over to the host',
} as const;

export type ServicePermission = keyof typeof SERVICE_PERMISSIONS | keyof typeof INTERNAL_PERMISSIONS;

/** The services of the platform by the names of their tokens, and what their clients call. Nothing else is open to them. */
export const PLATFORM_SERVICES: Record<string, readonly ServicePermission[]> = {
  panel: ['cli-login', 'panel-sign-in'],
  gateway: ['catalog', 'catalog-write', 'installs', 'install-changes', 'runs', 'app-data', 'event-deliveries'],
  registry: ['api-key-owners', 'withheld-apps'],
  'ext-webhook-host': ['extension-host'],
};

export const isServicePermission = (name: string): name is ServicePermission =>
  Object.hasOwn(SERVICE_PERMISSIONS, name) || Object.hasOwn(INTERNAL_PERMISSIONS, name);

/** While a token is rotated, its successor has the name with a number: `panel-2` is `panel`. */
export const serviceOf = (tokenName: string): string => tokenName.replace(/-[0-9]+$/, '');
