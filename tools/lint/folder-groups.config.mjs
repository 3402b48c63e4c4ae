/** Files and folders that assemble a service; they can import every group. */
const TOP_OF_SERVICES = ['app.module', 'database', 'main', 'service', 'worker', 'migrations', 'testing'];

/**
 * Groups of folders in each service. A group can import only the groups before it. The linter and
 * the spec about import cycles read this list.
 *
 * @type {import('./folder-groups.mjs').Groups[]}
 */
export const FOLDER_GROUPS = [
  {
    root: 'apps/auth-gateway/src',
    base: ['config', 'invoice-config', 'smtp-config', 'stripe-config', 'tier-limits'],
    order: ['kernel', 'identity', 'organisation', 'billing', 'apps', 'extensions', 'marketplace', 'automations'],
    top: [...TOP_OF_SERVICES, 'seed', 'maintenance', 'attacks'],
    page: 'docs/decisions/0025-groups-of-the-gateway.md',
  },
  {
    root: 'apps/ext-webhook-host/src',
    base: [],
    order: [
      'handlers',
      'kernel',
      'context',
      ['steps', 'code'],
      'documents',
      'runs',
      ['app-data', 'events', 'schedules', 'smoke', 'webhooks'],
      ['maintenance', 'runtime-feed'],
    ],
    within: { code: ['vm', 'thread', 'process', 'host'] },
    top: [...TOP_OF_SERVICES, 'config'],
    page: 'docs/decisions/0026-groups-of-the-host.md',
  },
];
