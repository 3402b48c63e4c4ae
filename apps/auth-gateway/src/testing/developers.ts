import type { AppCreateRequest, AppResponse, DeployStatus, DeveloperTier, ToolDefinition } from '@platform/contracts';
import type { TestClient } from '@platform/testing';
import { newId } from '@platform/platform';
import { newAppId, tool } from './apps.js';
import type { GatewayTest, TestUser } from './gateway-test.js';

export interface TestDeveloper {
  user: TestUser;
  /** A backend that acts for the developer. */
  client: TestClient;
}

let made = 0;

/** Inserts a user, registered as a developer, into the database. */
export async function newDeveloper(
  gateway: GatewayTest,
  tier: DeveloperTier = 'partner',
  changes: object = {},
): Promise<TestDeveloper> {
  const user = await gateway.user({ nickname: `dev-${++made}`, ...changes });
  await gateway.service.query("INSERT INTO developers (user_id, display_name, tier) VALUES ($1, 'A developer', $2)", [
    user.id,
    tier,
  ]);
  return { user, client: gateway.actingFor(user.id) };
}

/** Creates a draft with the values of the seed's sample app. */
export async function createDraftApp(
  { client }: TestDeveloper,
  changes: Partial<AppCreateRequest> = {},
): Promise<AppResponse> {
  const sample = { app_id: newAppId(), name: 'Invoices', short_description: 'Makes invoices', category: 'finance' };
  const { status, body } = await client.post<AppResponse>('/v1/developer/apps', { ...sample, ...changes });
  if (status !== 201) throw new Error(`creating an app answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

/** Stores the state that a successful deploy of a version leaves. */
export async function storeDeployedVersion(
  { service }: Pick<GatewayTest, 'service'>,
  appId: string,
  version = '1.0.0',
  {
    tools = [tool('create_invoice', { action_type: 'write' })],
    document = null,
  }: { tools?: ToolDefinition[]; document?: object | null } = {},
): Promise<void> {
  const manifest = { version, tools, skeleton_sections: [] };
  await service.query(
    `INSERT INTO app_versions (app_id, version, sha256, document, manifest, hosts, capabilities, registry_held_at)
     VALUES ($1, $2, sha256($3), $4, $5, '{}', '{}', now())`,
    [appId, version, Buffer.from(version), document, manifest],
  );
  await recordDeploy({ service }, appId, 'success', version);
  await service.query('UPDATE apps SET served_version = $2 WHERE app_id = $1', [appId, version]);
}

/** Inserts a finished deploy. */
export async function recordDeploy(
  { service }: Pick<GatewayTest, 'service'>,
  appId: string,
  status: DeployStatus,
  version?: string,
): Promise<void> {
  await service.query(
    `INSERT INTO deploys (deploy_id, app_id, number, version, status, requested_by, finished_at)
     SELECT $1, $2, coalesce(max(number), 0) + 1, $3, $4, 'test', now() FROM deploys WHERE app_id = $2`,
    [newId('dep'), appId, version, status],
  );
}

/**
 * Audit entries of a target, oldest first. Sign-ins are left out, because a job writes them later.
 */
export const auditEntriesOf = ({ service }: Pick<GatewayTest, 'service'>, id: string): Promise<AuditRow[]> =>
  service.query<AuditRow>(
    "SELECT * FROM gateway_audit.audit_entries WHERE target_id = $1 AND action NOT IN ('user.signed_in', 'user.sign_in_failed') ORDER BY id",
    [id],
  );

interface AuditRow {
  action: string;
  tenant_id: string;
  actor_id: string;
  before_state: object | null;
  after_state: object | null;
  metadata: object;
}

/** Runs `work` and expects the app, its versions and its audit entries to be unchanged. */
export async function expectUnchanged(
  gateway: Pick<GatewayTest, 'service'>,
  appId: string,
  work: () => Promise<void>,
): Promise<void> {
  const stored = async () => [
    await gateway.service.query('SELECT * FROM apps WHERE app_id = $1', [appId]),
    await gateway.service.query('SELECT version FROM app_versions WHERE app_id = $1 ORDER BY version', [appId]),
    await auditEntriesOf(gateway, appId),
  ];
  const before = await stored();
  await work();
  expect(await stored()).toEqual(before);
}
