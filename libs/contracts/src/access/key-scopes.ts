/**
 * What an API key can be given for its owner's own things. A session needs none of them, and everybody may give them to a key of theirs:
 * they open nothing that the owner could not do, they only say which of it the key is for.
 */
export const KEY_SCOPES = {
  'profile:read': 'See your own account, notifications, agency and scopes',
  'profile:write': 'Change your own profile, and mark notifications as read',
  'actions:read': 'See what was done for you, and figures of it',
  'apps:read': 'See your own apps as a developer, their deploys, logs and figures, and the catalog',
  'apps:write': 'Create, change, deploy and delete your own apps',
  'secrets:read': 'See secrets that you keep for extensions, and which ones your own apps have',
  'secrets:write': 'Set and delete such secrets',
  'installs:read': 'See which extensions you have',
  'installs:write': 'Install, remove and switch extensions for yourself',
  'extensions:call': 'Call functions of every extension; `<app_id>:call` of one',
  'events:read': 'Follow your events as they happen; of most with the scope to read what they are about, too',
  'tasks:read': 'Follow calls that go on after their request, and see what became of them',
  'tasks:write': 'Cancel such calls',
  'confirmations:read': 'See what waits for your confirmation',
  'automations:read': 'See your automations',
  'automations:write': 'Create, pause and delete your automations',
  'billing:read': 'See your wallet, plan, usage, cards, payments, invoices, earnings and spending limits',
  'marketplace:read': 'See the marketplace as it is for you',
  'marketplace:write': 'Review and rate apps',
} as const;

export type KeyScope = keyof typeof KEY_SCOPES;
