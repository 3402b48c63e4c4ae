import type { KeyResponse, RegistryApp, RegistryTool } from '@platform/contracts';
import { newId } from '@platform/platform';
import { TEST_SERVICE_TOKEN, type TestClient } from '@platform/testing';
import { RegistryTest } from '../../../auth-gateway/src/testing/registry-test.js';

export { createTenant } from '../../../auth-gateway/src/testing/tenants.js';
export { Statements } from '../../../auth-gateway/src/testing/statements.js';
export { RegistryTest };

/** A user with an API key, and a client that sends the key. */
export interface KeyHolder {
  id: string;
  client: TestClient;
  key: string;
  keyId: string;
}

/** Creates a user at the gateway, with an API key. */
export async function keyHolder(
  { gateway, registry }: RegistryTest,
  changes: Record<string, unknown> = {},
  scopes = '*',
): Promise<KeyHolder> {
  const user = await gateway.user(changes);
  const signedIn = await gateway.signIn(user);
  const { status, body } = await signedIn.post<KeyResponse>('/v1/keys', { name: 'deploy', scopes });
  if (status !== 201) throw new Error(`POST /v1/keys answered ${status}`);
  return {
    id: user.id,
    client: registry.client().withHeaders({ 'x-api-key': body.key }),
    key: body.key,
    keyId: body.id,
  };
}

export const backend = ({ registry }: RegistryTest): TestClient =>
  registry.client().withHeaders({ 'X-Service-Token': TEST_SERVICE_TOKEN });

export async function newApp(client: TestClient, changes: Record<string, unknown> = {}): Promise<string> {
  const app_id = newId('app');
  const { status, body } = await client.post<RegistryApp>('/v1/apps', { app_id, display_name: 'Invoices', ...changes });
  if (status !== 201) throw new Error(`POST /v1/apps answered ${status}: ${JSON.stringify(body)}`);
  return app_id;
}

export const tool = (name: string, changes: Partial<RegistryTool> = {}): RegistryTool => ({
  name,
  description: `Does ${name} for the user.`,
  action_type: 'read',
  params_schema: { type: 'object', properties: { month: { type: 'string' } } },
  return_schema: null,
  required_scopes: ['*'],
  ...changes,
});

/** Pushes a manifest with these tools. Throws if the answer is not 200. */
export async function push(
  client: TestClient,
  appId: string,
  tools: object[],
  more: Record<string, unknown> = {},
): Promise<void> {
  const { status, body } = await client.put(`/v1/apps/${appId}/tools`, { tools, skeleton_sections: [], ...more });
  if (status !== 200) throw new Error(`PUT tools answered ${status}: ${JSON.stringify(body)}`);
}
