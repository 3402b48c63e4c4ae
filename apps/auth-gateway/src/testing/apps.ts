import type { ToolDefinition } from '@platform/contracts';
import { newId, sha256 } from '@platform/platform';
import { DataSource } from 'typeorm';
import { syncPrices } from '../apps/prices/sync-prices.js';
import type { GatewayTest } from './gateway-test.js';

export interface TestApp {
  app_id: string;
  /** Null for system apps. */
  developer_id: string | null;
}

export interface TestAppChanges {
  /** Other columns of `apps`. */
  [column: string]: unknown;
  version?: string;
  tools?: ToolDefinition[];
  document?: object;
}

let made = 0;

/** An app id that is unique in the test run. */
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

/** Inserts a user and a developer into the database. */
export async function createDeveloper(gateway: GatewayTest, changes: Record<string, unknown> = {}): Promise<string> {
  const { display_name = 'Ada', ...ofUser } = changes;
  const { id } = await gateway.user(ofUser);
  await gateway.service.query('INSERT INTO developers (user_id, display_name) VALUES ($1, $2)', [id, display_name]);
  return id;
}

/** Inserts an app into the database. Default: active, with one served version. */
export async function createApp(gateway: GatewayTest, changes: TestAppChanges = {}): Promise<TestApp> {
  const {
    version = '1.0.0',
    tools = [tool('list_things')],
    document = null,
    submitted_version = null,
    ...given
  } = changes;
  const app = { app_id: newAppId(), status: 'active', ...given } as Record<string, unknown> & { app_id: string };
  if (!app['system'] && app['developer_id'] === undefined) app['developer_id'] = await createDeveloper(gateway);
  const columns = { display_name: app.app_id, published_at: new Date(), ...app };
  const names = Object.keys(columns);
  // Constraints require this order: the app as draft, its version, then its status.
  await gateway.service.query(
    `INSERT INTO apps (${names.join(', ')}) VALUES (${names.map((_name, at) => `$${at + 1}`).join(', ')})`,
    Object.values({ ...columns, status: 'draft' }),
  );
  await gateway.service.query(
    `INSERT INTO app_versions (app_id, version, sha256, document, manifest, hosts, capabilities, registry_held_at)
     VALUES ($1, $2, $3, $4, $5, '{}', '{}', now())`,
    [app.app_id, version, sha256(`${app.app_id} ${version}`), document, { version, tools, skeleton_sections: [] }],
  );
  await gateway.service.query(
    'UPDATE apps SET served_version = $2, status = $3, submitted_version = $4 WHERE app_id = $1',
    [app.app_id, version, app['status'], submitted_version],
  );
  await syncPrices(gateway.service.app.get(DataSource).manager, [app.app_id]);
  return { app_id: app.app_id, developer_id: (app['developer_id'] as string | undefined) ?? null };
}

export interface TestPricing {
  /** Credits per call, by function. */
  perCall?: Record<string, number>;
  /** Credits per month; wins over `perCall`. */
  monthly?: number;
  /** Percent of the price that the developer gets; default: 70. */
  split?: number;
}

const columnsOf = ({ perCall, monthly, split }: TestPricing) => ({
  pricing_model: monthly !== undefined ? 'subscription' : perCall ? 'per_action' : 'free',
  pricing_config: {
    ...(perCall && { tool_prices: perCall }),
    ...(monthly !== undefined && { monthly_price: monthly }),
  },
  ...(split !== undefined && { revenue_split_dev: split }),
});

/**
 * Inserts an active app with prices into the database. Its functions default to those of `perCall`:
 * `pricedApp(gateway, { perCall: { create_note: 20 }, split: 80 })`. Install it for a user who is
 * not its developer; developers call their own apps free of charge. With a `FakeRunHost` as host
 * its functions can be called. With the real host, use `setPrices` on an app that a `DeployTest`
 * deployed.
 */
export const pricedApp = (
  gateway: GatewayTest,
  pricing: TestPricing,
  changes: TestAppChanges = {},
): Promise<TestApp> => {
  const tools = pricing.perCall && { tools: Object.keys(pricing.perCall).map((name) => tool(name)) };
  return createApp(gateway, { document: {}, ...tools, ...columnsOf(pricing), ...changes });
};

/**
 * Changes the prices of an app of any status. Returns the new price version; null if the app is
 * free.
 */
export async function setPrices(
  { service }: Pick<GatewayTest, 'service'>,
  appId: string,
  pricing: TestPricing,
): Promise<number | null> {
  const columns = columnsOf(pricing);
  const names = Object.keys(columns).map((name, at) => `${name} = $${at + 2}`);
  return service.app.get(DataSource).transaction(async (em) => {
    await em.query(`UPDATE apps SET ${names.join(', ')} WHERE app_id = $1`, [appId, ...Object.values(columns)]);
    await syncPrices(em, [appId]);
    const [app] = await em.query<[{ price_version: number | null }]>(
      'SELECT price_version FROM apps WHERE app_id = $1',
      [appId],
    );
    return app.price_version;
  });
}

/**
 * Inserts an install into the database. The user agrees to the current price and to nothing else.
 */
export async function installApp(
  { service }: Pick<GatewayTest, 'service'>,
  appId: string,
  userId: string,
): Promise<void> {
  await service.query(
    `INSERT INTO installs (user_id, app_id, tenant_id, revision, installed_at, agreed_price_version)
     SELECT u.id, a.app_id, u.tenant_id, 1, now(), a.price_version FROM users u, apps a WHERE u.id = $1 AND a.app_id = $2`,
    [userId, appId],
  );
}
