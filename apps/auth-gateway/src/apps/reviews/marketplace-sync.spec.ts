import type { AppSubmitResponse } from '@platform/contracts';
import { until } from '@platform/testing';
import { newAppId } from '../../testing/apps.js';
import { DeployTest, documentOf } from '../../testing/deploy-test.js';

let test: DeployTest;
beforeAll(async () => (test = await DeployTest.start()));
afterAll(() => test.stop());

interface RegistryRecord {
  status: string;
  version: string | null;
  display_name: string;
}

/** Waits until the Registry's record of the app matches; null: until there is no record. */
const inRegistry = (appId: string, expected: Partial<RegistryRecord> | null) =>
  until(async () => {
    const { status, body } = await test.registry.get<RegistryRecord>(`/v1/apps/${appId}`);
    if (!expected) return status === 404;
    return (
      status === 200 && Object.entries(expected).every(([key, value]) => body[key as keyof RegistryRecord] === value)
    );
  });

it('an app goes from registering to the marketplace and out of it, and the Registry follows', async () => {
  const user = await test.gateway.user();
  const client = await test.gateway.signIn(user);
  const admin = test.gateway.backend();
  const app_id = newAppId();
  const path = `/v1/developer/apps/${app_id}`;
  expect((await client.post('/v1/developer/register', { display_name: 'Ada' })).status).toBe(200);
  const sample = { app_id, name: 'Notes', short_description: 'Takes notes', category: 'productivity' };
  expect((await client.post('/v1/developer/apps', sample)).status).toBe(201);
  expect((await client.post(`${path}/submit`, {})).status).toBe(409);

  const developer = { user, client };
  expect((await test.deployIr(developer, app_id, documentOf(app_id, '1.0.0'))).status).toBe('success');
  const submitted = await client.post<AppSubmitResponse>(`${path}/submit`, {});
  expect(submitted).toMatchObject({ status: 200, body: { status: 'pending_review', version: '1.0.0' } });

  await test.deployAndWait(developer, app_id, {
    version: '1.1.0',
    changelog: 'Not what is reviewed',
    ir_dict: documentOf(app_id, '1.1.0'),
  });
  expect(await test.servedVersions(app_id)).toEqual({ gateway: '1.1.0', registry: '1.1.0' });
  expect((await admin.post(`/v1/admin/apps/${app_id}/approve`)).body).toMatchObject({
    status: 'active',
    version: '1.0.0',
  });
  await inRegistry(app_id, { status: 'active', version: '1.0.0', display_name: 'Notes' });

  expect((await client.post(`${path}/suspend`)).status).toBe(200);
  await inRegistry(app_id, { status: 'suspended' });
  expect((await client.put(path, { name: 'Better notes' })).status).toBe(200);
  await inRegistry(app_id, { display_name: 'Better notes' });
  expect((await client.request('DELETE', path, { confirm_name: app_id })).status).toBe(200);
  await inRegistry(app_id, null);
});
