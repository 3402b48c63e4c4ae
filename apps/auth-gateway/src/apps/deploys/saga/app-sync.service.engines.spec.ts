import { HeldLock, until } from '@platform/testing';
import { Registry } from 'prom-client';
import { DataSource } from 'typeorm';
import { DeployTest, documentOf, type TestDeveloper } from '../../../testing/deploy-test.js';
import { appSyncQueue, FORMER_APPS_JOB } from '../versions/app-sync.jobs.js';
import { AppSyncService } from './app-sync.service.js';
import { DeployReconciliationWorker } from './deploy-reconciliation.worker.js';

let test: DeployTest;
let ada: TestDeveloper;
beforeAll(async () => {
  test = await DeployTest.start({ WORKERS: 'inline' });
  ada = await test.developer();
});
afterAll(() => test.stop());

/** An app that serves 1.0.0. */
async function served(): Promise<string> {
  const appId = await test.app(ada);
  await test.deployAndWait(ada, appId, { ir_dict: documentOf(appId, '1.0.0') });
  return appId;
}

const record = (appId: string) => test.registry.get<Record<string, unknown>>(`/v1/apps/${appId}`);
const push = (appId: string, body: object) =>
  test.registry.put(`/v1/apps/${appId}/tools`, { tools: [], skeleton_sections: [], ...body });
const reconcile = () => test.gateway.service.app.get(DeployReconciliationWorker).reconcileDeploys();
const mismatches = (appId: string) =>
  test.query('SELECT kind, registry_version FROM app_mismatches WHERE app_id = $1', [appId]);
const BOTH = { gateway: '1.0.0', registry: '1.0.0' };

describe("the Registry's record of an app", () => {
  it('follows what the developer says of it, and its status', async () => {
    const appId = await served();
    const changes = { display_name: 'Better notes', short_description: 'Notes, but better', category: 'productivity' };
    expect((await ada.client.put(`/v1/developer/apps/${appId}`, changes)).status).toBe(200);
    expect((await ada.client.post(`/v1/developer/apps/${appId}/submit`, {})).status).toBe(200);
    const body = await until(async () => {
      const { body } = await record(appId);
      return body['status'] === 'pending_review' && body;
    });
    expect(body).toMatchObject({
      display_name: 'Better notes',
      description: 'Notes, but better',
      category: 'productivity',
      owner_id: ada.user.id,
      version: '1.0.0',
    });
  });

  it('goes with the app, also when the Registry was away and the id is taken again', async () => {
    const appId = await served();
    const { deploy_id } = await test.withoutRegistry(async () => {
      expect((await ada.client.request('DELETE', `/v1/developer/apps/${appId}`, { confirm_name: appId })).status).toBe(
        200,
      );
      expect((await ada.client.post('/v1/developer/apps', { app_id: appId, name: 'Other notes' })).status).toBe(201);
      return test.deploy(ada, appId, { ir_dict: documentOf(appId, '1.0.0', 'Quite another') });
    });
    expect(await test.waitForDeploy(ada, appId, deploy_id)).toMatchObject({ status: 'success' });
    const { body } = await test.registry.get(`/v1/apps/${appId}/tools`);
    expect(body).toMatchObject({ version: '1.0.0', tools: [{ description: 'Says Quite another to somebody.' }] });
  });

  it('is removed with an app that was never pushed, without an error', async () => {
    const appId = await test.app(ada);
    await ada.client.request('DELETE', `/v1/developer/apps/${appId}`, { confirm_name: appId });
    await until(
      async () => (await test.query("SELECT FROM outbox WHERE payload ->> 'app_id' = $1", [appId])).length === 0,
    );
    expect((await record(appId)).status).toBe(404);
  });
});

describe('what somebody else has pushed', () => {
  it('without releasing it changes nothing', async () => {
    const appId = await served();
    await push(appId, { version: '9.0.0', release: false });
    await reconcile();
    expect(await mismatches(appId)).toEqual([]);
    expect(await test.servedVersions(appId)).toEqual(BOTH);
  });

  it('and released stays, and is shown as a mismatch until the next deploy', async () => {
    const appId = await served();
    await push(appId, { version: '9.0.0' });
    await reconcile();
    expect(await mismatches(appId)).toEqual([{ kind: 'foreign_version', registry_version: '9.0.0' }]);
    expect(await test.servedVersions(appId)).toEqual({ gateway: '1.0.0', registry: '9.0.0' });
    const ready = await test.gateway.client().get('/readyz');
    expect(ready).toMatchObject({ status: 200, body: { status: 'ok', notes: { apps_out_of_sync: 1 } } });
    expect(await test.gateway.service.app.get(Registry).getSingleMetricAsString('apps_out_of_sync')).toContain('} 1');
    await test.deployAndWait(ada, appId, { ir_dict: documentOf(appId, '2.0.0') });
    expect(await test.servedVersions(appId)).toEqual({ gateway: '2.0.0', registry: '2.0.0' });
    expect(await mismatches(appId)).toEqual([]);
  });

  it('as a version that the gateway holds gives way to what the gateway serves', async () => {
    const appId = await served();
    await test.deployAndWait(ada, appId, { ir_dict: documentOf(appId, '2.0.0') });
    expect((await test.registry.put(`/v1/apps/${appId}`, { version: '1.0.0', display_name: 'Hacked' })).status).toBe(
      200,
    );
    await reconcile();
    expect(await test.servedVersions(appId)).toEqual({ gateway: '2.0.0', registry: '2.0.0' });
    expect((await record(appId)).body).toMatchObject({ display_name: 'Notes' });
  });

  it('in place of what is served is shown as a mismatch', async () => {
    const appId = await served();
    await push(appId, { version: '1.0.0', tools: [{ name: 'other' }] });
    await reconcile();
    expect(await mismatches(appId)).toEqual([{ kind: 'other_content', registry_version: '1.0.0' }]);
    await test.deployAndWait(ada, appId, { ir_dict: documentOf(appId, '1.0.1') });
    expect(await mismatches(appId)).toEqual([]);
  });

  it('and deleted comes back', async () => {
    const appId = await served();
    expect((await test.registry.delete(`/v1/apps/${appId}`)).status).toBe(200);
    await reconcile();
    expect(await test.servedVersions(appId)).toEqual(BOTH);
  });
});

it('is brought in line by 20 at once as by one', async () => {
  const appId = await served();
  await test.query("UPDATE apps SET display_name = 'Renamed' WHERE app_id = $1", [appId]);
  const sync = test.gateway.service.app.get(AppSyncService);
  await Promise.all(Array.from({ length: 20 }, () => sync.syncApp(appId)));
  expect((await record(appId)).body).toMatchObject({ display_name: 'Renamed', version: '1.0.0' });
});

describe('the jobs', () => {
  it('of one developer leave room for those of others, however many there are', async () => {
    const ben = await test.developer();
    const registered = async (developer: TestDeveloper) => {
      const app_id = await test.app(developer);
      expect(
        (await test.registry.post('/v1/apps', { app_id, display_name: 'Notes', owner_id: developer.user.id })).status,
      ).toBe(201);
      return app_id;
    };
    const noisy: string[] = [];
    for (let at = 0; at < 20; at++) noisy.push(await registered(ada));
    const quiet = await registered(ben);
    const rename = ({ client }: TestDeveloper, appId: string) =>
      client.put(`/v1/developer/apps/${appId}`, { display_name: 'Renamed' });
    // The Registry cannot change these apps until the lock is released.
    const held = await HeldLock.acquire(
      test.gateway.service,
      'SELECT FROM apps WHERE app_id = ANY ($1) FOR NO KEY UPDATE',
      [noisy],
      'registry',
    );
    try {
      for (const appId of noisy) expect((await rename(ada, appId)).status).toBe(200);
      await held.waitForBlocked(appSyncQueue.concurrency / 2);
      expect((await rename(ben, quiet)).status).toBe(200);
      await until(async () => (await record(quiet)).body['display_name'] === 'Renamed');
      expect((await Promise.all(noisy.map(record))).filter(({ body }) => body['display_name'] === 'Renamed')).toEqual(
        [],
      );
    } finally {
      await held.release();
    }
  });

  it('find the removal of a former app without reading all others', async () => {
    const plan = await test.gateway.service.app.get(DataSource).transaction(async (em) => {
      await em.query('SET LOCAL enable_seqscan = off'); // the table is almost empty here
      return em.query<{ 'QUERY PLAN': string }[]>(`EXPLAIN ${FORMER_APPS_JOB}`, ['some-app']);
    });
    expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toMatch(/Index Scan.*outbox_removals_idx/);
  });
});
