/**
 * Scopes with which an API key can act on its owner's own data. A session does not need them, and
 * every user can give them to a key: they give no new permissions, they only limit the key to a
 * part of the owner's permissions.
 */
export const KEY_SCOPES = {
  'profile:read': 'See your own account, notifications, agency and scopes',
  'profile:write': 'Change your own profile, and mark notifications as read',
  'actions:read': 'See the actions that apps took for you, and their statistics',
  'apps:read': 'See your own apps as a developer, their deploys, logs and statistics, and the catalog',
  'apps:write': 'Create, change, deploy and delete your own apps',
  'secrets:read': 'Read your secrets for extensions, and see which secrets your own apps have',
  'secrets:write': 'Set and delete your secrets for extensions, and those of your own apps',
  'installs:read': 'See your installed extensions',
  'installs:write': 'Install, remove, enable and disable extensions for yourself',
  'extensions:call': 'Call functions of every extension; `<app_id>:call` allows only one extension',
  'events:read': 'Follow your events live; most events also need the scope that reads the data they are about',
  'tasks:read': 'Follow tasks (calls that continue after their request) and see their results',
  'tasks:write': 'Cancel tasks',
  'confirmations:read': 'See the calls that wait for your confirmation',
  'automations:read': 'See your automations',
  'automations:write': 'Create, pause and delete your automations',
  'billing:read': 'See your wallet, plan, usage, cards, payments, invoices, earnings and spending limits',
  'marketplace:read': 'See the marketplace with your installs and votes',
  'marketplace:write': 'Review and rate apps',
} as const;

export type KeyScope = keyof typeof KEY_SCOPES;
