import type { ToolDefinition } from '@platform/contracts';
import { newId, sha256 } from '@platform/platform';
import type { GatewayTest } from './gateway.js';

export interface TestApp {
  app_id: string;
  /** Null for what the platform itself brings. */
  developer_id: string | null;
}

export interface TestAppChanges {
  /** Columns of `apps`. */
  [column: string]: unknown;
  version?: string;
  tools?: ToolDefinition[];
  document?: object;
}

let made = 0;

/** An id that no other app of the test run has. */
export const newAppId = (): string => `app-${newId('a').slice(-12)}-${++made}`;

export const tool = (name: string, changes: Partial<ToolDefinition> = {}): ToolDefinition => ({
  name,
  description: `Does ${name}.`,
  action_type: 'read',
  params_schema: { type: 'object', properties: {} },
  return_schema: null,
  required_scopes: ['*'],
  ...changes,
});

/** Puts a developer straight into the database. */
export async function createDeveloper(gateway: GatewayTest, changes: Record<string, unknown> = {}): Promise<string> {
  const { display_name = 'Ada', ...ofUser } = changes;
  const { id } = await gateway.user(ofUser);
  await gateway.service.query('INSERT INTO developers (user_id, display_name) VALUES ($1, $2)', [id, display_name]);
  return id;
}

/** Puts an app straight into the database, by itself as one that is active and serves a version. */
export async function createApp(gateway: GatewayTest, changes: TestAppChanges = {}): Promise<TestApp> {
  const { version = '1.0.0', tools = [tool('list_things')], document = null, ...given } = changes;
  const app = { app_id: newAppId(), status: 'active', ...given } as Record<string, unknown> & { app_id: string };
  if (!app['system'] && app['developer_id'] === undefined) app['developer_id'] = await createDeveloper(gateway);
  const columns = { display_name: app.app_id, published_at: new Date(), ...app };
  const names = Object.keys(columns);
  // An active app must serve a version, and a version is one of an app.
  await gateway.service.query(
    `INSERT INTO apps (${names.join(', ')}) VALUES (${names.map((_name, at) => `$${at + 1}`).join(', ')})`,
    Object.values({ ...columns, status: 'draft' }),
  );
  await gateway.service.query(
    'INSERT INTO app_versions (app_id, version, sha256, document, manifest, registry_held_at) VALUES ($1, $2, $3, $4, $5, now())',
    [app.app_id, version, sha256(`${app.app_id} ${version}`), document, { version, tools, skeleton_sections: [] }],
  );
  await gateway.service.query('UPDATE apps SET served_version = $2, status = $3 WHERE app_id = $1', [app.app_id, version, app['status']]);
  return { app_id: app.app_id, developer_id: (app['developer_id'] as string | undefined) ?? null };
}
