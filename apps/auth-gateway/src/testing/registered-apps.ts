import { TEST_SERVICE_TOKEN } from '@platform/testing';
import { createApp, type TestApp, type TestAppChanges } from './apps.js';
import type { RegistryTest } from './registry.js';

/** An app that both the gateway and the Registry have. */
export async function createRegisteredApp({ gateway, registry }: RegistryTest, changes: TestAppChanges = {}): Promise<TestApp> {
  const app = await createApp(gateway, changes);
  // Not by the client of the gateway, which waits for two seconds and does not try again.
  const client = registry.client().with({ 'X-Service-Token': TEST_SERVICE_TOKEN });
  const { status } = await client.post('/v1/apps', { app_id: app.app_id, display_name: app.app_id, status: 'active' });
  if (status !== 201) throw new Error(`creating an app in the Registry answered ${status}`);
  return app;
}
