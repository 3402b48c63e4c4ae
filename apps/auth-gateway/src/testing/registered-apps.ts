import { TEST_SERVICE_TOKEN } from '@platform/testing';
import { createApp, type TestApp, type TestAppChanges } from './apps.js';
import type { RegistryTest } from './registry-test.js';

/** Creates an app in both the gateway and the Registry. */
export async function createRegisteredApp(
  { gateway, registry }: RegistryTest,
  changes: TestAppChanges = {},
): Promise<TestApp> {
  const app = await createApp(gateway, changes);
  // The gateway's own client has a timeout of 2 s and does not retry.
  const client = registry.client().withHeaders({ 'X-Service-Token': TEST_SERVICE_TOKEN });
  const { status } = await client.post('/v1/apps', { app_id: app.app_id, display_name: app.app_id, status: 'active' });
  if (status !== 201) throw new Error(`creating an app in the Registry answered ${status}`);
  return app;
}
