import { RegistryClient } from '../kernel/peers/registry/registry-client.js';
import { createApp, type TestApp, type TestAppChanges } from './apps.js';
import type { RegistryTest } from './registry.js';

/** An app that both the gateway and the Registry have. */
export async function createRegisteredApp({ gateway }: RegistryTest, changes: TestAppChanges = {}): Promise<TestApp> {
  const app = await createApp(gateway, changes);
  await gateway.service.app.get(RegistryClient).createApp({ app_id: app.app_id, display_name: app.app_id, status: 'active' });
  return app;
}
