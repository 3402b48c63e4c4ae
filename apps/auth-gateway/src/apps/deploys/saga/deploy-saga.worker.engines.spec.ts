import type { DeployResponse, KeyResponse, ToolManifest } from '@platform/contracts';
import { until, type TestClient } from '@platform/testing';
import { DeployTest, documentOf, type TestDeveloper } from '../../../testing/deploy-test.js';
import { deployQueue } from '../versions/deploy.jobs.js';
import { DeploySagaWorker } from './deploy-saga.worker.js';
import { DeployReconciliationWorker } from './deploy-reconciliation.worker.js';

let test: DeployTest;
let ada: TestDeveloper;
beforeAll(async () => {
  test = await DeployTest.start({ WORKERS: 'inline' });
  ada = await test.developer();
});
afterAll(() => test.stop());

const seen = ({ client }: TestDeveloper, { app_id, deploy_id }: DeployResponse) =>
  client.get<DeployResponse>(`/v1/developer/apps/${app_id}/deploys/${deploy_id}`).then(({ body }) => body);

describe('while the Registry is away', () => {
  it('a deploy waits, says why, and ends when it is back', async () => {
    const appId = await test.app(ada);
    const accepted = await test.withoutRegistry(async () => {
      const deploy = await test.deploy(ada, appId, { ir_dict: documentOf(appId, '1.0.0') });
      const waiting = await until(async () => [await seen(ada, deploy)].find((row) => row.failed_attempts > 0));
      expect(waiting).toMatchObject({
        status: 'syncing',
        error_message: expect.stringMatching(/registry cannot be reached.*retried/),
        deployed_at: null,
      });
      expect(await test.query('SELECT served_version FROM apps WHERE app_id = $1', [appId])).toEqual([
        { served_version: null },
      ]);
      return deploy;
    });
    expect(await test.waitForDeploy(ada, appId, accepted.deploy_id)).toMatchObject({
      status: 'success',
      error_message: '',
    });
    expect(await test.servedVersions(appId)).toEqual({ gateway: '1.0.0', registry: '1.0.0' });
  });

  it('a deploy fails in the end, with the reason', async () => {
    const appId = await test.app(ada);
    await test.withoutRegistry(async () => {
      const deploy = await test.deploy(ada, appId, { ir_dict: documentOf(appId, '1.0.0') });
      await test.gateway.service.app.get(DeploySagaWorker).runDeploy(deploy.deploy_id, true);
      expect(await seen(ada, deploy)).toMatchObject({
        status: 'failed',
        error_message: expect.stringContaining(`It was tried ${deployQueue.attempts} times.`),
        deployed_at: expect.any(String),
      });
    });
    expect(await test.deployAndWait(ada, appId, { version: '1.0.0' })).toMatchObject({ status: 'success' });
  });
});

it('many deploys of one developer’s apps leave room for those of others', async () => {
  const bob = await test.developer();
  const saga = test.gateway.service.app.get(DeploySagaWorker);
  const run = saga.runDeploy.bind(saga);
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  let held = 0;
  const runs = jest.spyOn(saga, 'runDeploy').mockImplementation(async (id, isLast) => {
    const [own] = await test.query(
      'SELECT FROM deploys JOIN apps USING (app_id) WHERE deploy_id = $1 AND developer_id = $2', // in any app of the developer
      [id, ada.user.id],
    );
    if (own) {
      held++;
      await released;
    }
    return run(id, isLast);
  });
  const begun: DeployResponse[] = [];
  for (let count = 0; count < 6; count++) {
    const appId = await test.app(ada);
    begun.push(await test.deploy(ada, appId, { ir_dict: documentOf(appId, '1.0.0') }));
  }
  await until(() => held >= deployQueue.concurrency / 2);
  const appId = await test.app(bob);
  expect(await test.deployAndWait(bob, appId, { ir_dict: documentOf(appId, '1.0.0') })).toMatchObject({
    status: 'success',
  });
  expect(held).toBe(deployQueue.concurrency / 2);
  release();
  for (const { app_id, deploy_id } of begun)
    expect(await test.waitForDeploy(ada, app_id, deploy_id)).toMatchObject({ status: 'success' });
  runs.mockRestore();
});

describe('a deploy fails', () => {
  it('when the Registry does not take the manifest', async () => {
    const appId = await test.app(ada);
    const document = documentOf(appId, '1.0.0');
    const properties = Object.fromEntries(
      Array.from({ length: 40 }, (_value, at) => [`p${at}`, { description: 'x'.repeat(2_000) }]),
    );
    Object.assign(document.steps[0]?.params.params_schema ?? {}, { properties: { name: {}, ...properties } });
    expect(await test.deployAndWait(ada, appId, { ir_dict: document })).toMatchObject({
      status: 'failed',
      error_message: expect.stringMatching(/^The Registry refused the version: .*params_schema/),
    });
    expect(await test.servedVersions(appId)).toEqual({ gateway: null, registry: null });
    const [entry] = await test.query(
      "SELECT * FROM gateway_audit.audit_entries WHERE target_id = $1 AND action = 'app.deploy_failed'",
      [appId],
    );
    expect(entry).toMatchObject({ on_behalf_of: ada.user.id, after_state: { version: '1.0.0' } });
  });

  it('when somebody else has pushed other functions under its version', async () => {
    const appId = await test.app(ada);
    await test.registry.post('/v1/apps', { app_id: appId, display_name: 'Notes' });
    const tools = [{ name: 'greet', description: 'Says something else', action_type: 'write' }];
    await test.registry.put(`/v1/apps/${appId}/tools`, { version: '1.0.0', tools, skeleton_sections: [] });
    expect(await test.deployAndWait(ada, appId, { ir_dict: documentOf(appId, '1.0.0') })).toMatchObject({
      status: 'failed',
      error_message: expect.stringContaining('other functions under version 1.0.0'),
    });
    expect(await test.deployAndWait(ada, appId, { ir_dict: documentOf(appId, '1.0.1') })).toMatchObject({
      status: 'success',
    });
    expect(await test.servedVersions(appId)).toEqual({ gateway: '1.0.1', registry: '1.0.1' });
  });

  it.each([
    ['is damaged', '{"app":{"id":"x"}}', 'damaged'],
    ['does not pass the checks any more', '{}', 'does not pass the checks any more'],
  ])('when the stored document %s', async (_what, document, reason) => {
    const appId = await test.app(ada);
    // The hash of `{}`, which matches only the document of the second case.
    await test.query(
      `INSERT INTO app_versions (app_id, version, document, sha256, manifest, hosts, capabilities)
       VALUES ($1, '1.0.0', $2, sha256('{}'), '{"version":"1.0.0","tools":[],"skeleton_sections":[]}', '{}', '{}')`,
      [appId, document],
    );
    expect(await test.deployAndWait(ada, appId, { version: '1.0.0' })).toMatchObject({
      status: 'failed',
      error_message: expect.stringContaining(reason),
    });
  });
});

describe('a deploy whose job is lost', () => {
  it('is done by the reconciler', async () => {
    const appId = await test.app(ada);
    await test.deployAndWait(ada, appId, { ir_dict: documentOf(appId, '1.0.0') });
    await test.query(
      `INSERT INTO deploys (deploy_id, app_id, number, version, requested_by, status, created_at, validated_at)
       VALUES ('dep_lost_' || $1, $1, 2, '1.0.0', 'test', 'syncing', now() - interval '2 minutes', now())`,
      [appId],
    );
    await test.gateway.service.app.get(DeployReconciliationWorker).reconcileDeploys();
    expect(await test.waitForDeploy(ada, appId, `dep_lost_${appId}`)).toMatchObject({ status: 'success' });
  });

  it('is done by the next one, which it is in the way of', async () => {
    const appId = await test.app(ada);
    await test.deployAndWait(ada, appId, { ir_dict: documentOf(appId, '1.0.0') });
    await test.query(
      "INSERT INTO deploys (deploy_id, app_id, number, version, requested_by, status) VALUES ('dep_stuck_' || $1, $1, 2, '1.0.0', 'test', 'syncing')",
      [appId],
    );
    expect(await test.deployAndWait(ada, appId, { ir_dict: documentOf(appId, '2.0.0') })).toMatchObject({
      status: 'success',
    });
    const [stuck] = await test.query('SELECT status FROM deploys WHERE app_id = $1 AND number = 2', [appId]);
    expect(stuck).toEqual({ status: 'success' });
    expect(await test.servedVersions(appId)).toEqual({ gateway: '2.0.0', registry: '2.0.0' });
  });
});

it('an older deploy that has not begun is overtaken', async () => {
  const appId = await test.app(ada);
  await test.deployAndWait(ada, appId, { ir_dict: documentOf(appId, '1.0.0') });
  await test.query(
    "INSERT INTO deploys (deploy_id, app_id, number, version, requested_by) VALUES ('dep_old_' || $1, $1, 2, '1.0.0', 'test')",
    [appId],
  );
  await test.deployAndWait(ada, appId, { ir_dict: documentOf(appId, '2.0.0') });
  expect(await test.waitForDeploy(ada, appId, `dep_old_${appId}`)).toMatchObject({ status: 'superseded' });
  await test.gateway.service.app.get(DeploySagaWorker).runDeploy(`dep_old_${appId}`); // its job comes late
  expect(await test.servedVersions(appId)).toEqual({ gateway: '2.0.0', registry: '2.0.0' });
});

describe('what a key of the owner pushed to the Registry under a version', () => {
  let key: TestClient;
  beforeAll(async () => {
    const { status, body } = await ada.client.post<KeyResponse>('/v1/keys', {
      name: 'leaked',
      scopes: 'apps:read,apps:write',
    });
    expect(status).toBe(201);
    key = test.registryWithKey(body.key);
  });

  /** An app that serves 1.0.0. */
  const begun = async () => {
    const appId = await test.app(ada);
    await test.deployAndWait(ada, appId, { ir_dict: documentOf(appId, '1.0.0') });
    return appId;
  };
  const evil = {
    tools: [{ name: 'greet', description: 'Says something else', action_type: 'write' }],
    skeleton_sections: [],
  };
  const push = (appId: string, body: object) => key.put(`/v1/apps/${appId}/tools`, { ...body, version: '1.1.0' });
  const deployed = (appId: string) => test.deployAndWait(ada, appId, { ir_dict: documentOf(appId, '1.1.0') });
  const expectServed = async (appId: string) => {
    expect(await test.servedVersions(appId)).toEqual({ gateway: '1.1.0', registry: '1.1.0' });
    const { body } = await test.registry.get(`/v1/apps/${appId}/tools`);
    expect(body).toMatchObject({
      version: '1.1.0',
      tools: [{ name: 'greet', description: 'Says Hello to somebody.' }],
    });
    const rows = await test.query("SELECT is_owners FROM registry.manifests WHERE app_id = $1 AND version = '1.1.0'", [
      appId,
    ]);
    expect(rows).toEqual([{ is_owners: false }]);
    expect(await test.query('SELECT kind FROM app_mismatches WHERE app_id = $1', [appId])).toEqual([]);
  };

  it.each(['the same', 'other functions'])(
    'before its deploy, %s, is in the way of nothing, and not served',
    async (what) => {
      const appId = await begun();
      // 1.0.0 already has the functions that 1.1.0 will have.
      const { body: same } = await test.registry.get<ToolManifest>(`/v1/apps/${appId}/tools`);
      expect(await push(appId, what === 'the same' ? same : evil)).toMatchObject({
        status: 200,
        body: { released: false },
      });
      expect(await deployed(appId)).toMatchObject({ status: 'success' });
      await expectServed(appId);
      expect(await push(appId, evil)).toMatchObject({ status: 409, body: { code: 'app.version_is_served' } });
    },
  );

  it('beside its deploy is in the way of nothing, and not served', async () => {
    const appId = await begun();
    const end = new AbortController();
    const pushing = (async () => {
      const statuses = new Set<number>();
      while (!end.signal.aborted) statuses.add((await push(appId, evil)).status);
      return statuses;
    })();
    const deploy = await deployed(appId).finally(() => end.abort());
    expect(deploy).toMatchObject({ status: 'success' });
    for (const status of await pushing) expect([200, 409]).toContain(status);
    await expectServed(appId);
  });
});
