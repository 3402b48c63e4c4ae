import { DeployTest, documentOf, type TestDeveloper } from '../../../testing/deploy-test.js';
import { DevelopmentVersionsService } from './development-versions.service.js';
import { DeployReconciliationWorker } from '../saga/deploy-reconciliation.worker.js';

let test: DeployTest;
let ada: TestDeveloper;
beforeAll(async () => {
  test = await DeployTest.start();
  ada = await test.developer();
});
afterAll(() => test.stop());

const dev = (number: number) => `1.0.0-dev.${number}`;
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

/** Inserts versions as if deployed one after the other, the last one 2 hours ago. */
async function deployedLongAgo(appId: string, versions: string[]): Promise<void> {
  await test.query(
    `INSERT INTO app_versions (app_id, version, sha256, manifest, registry_held_at, created_at)
     SELECT $1, version, sha256(version::bytea), jsonb_build_object('version', version, 'tools', '[]'::jsonb, 'skeleton_sections', '[]'::jsonb), now(), now() - interval '2 hours' - ($3 - at) * interval '1 s'
     FROM unnest($2::text[]) WITH ORDINALITY AS made (version, at)`,
    [appId, versions, versions.length],
  );
  await test.query(
    `INSERT INTO deploys (deploy_id, app_id, number, version, requested_by, status, validated_at, held_at, finished_at)
     SELECT 'dep_' || $1 || at, $1, 1000 + at, version, 'test', 'success', now(), now(), now() FROM unnest($2::text[]) WITH ORDINALITY AS made (version, at)`,
    [appId, versions],
  );
}

/** An app that serves 1.0.0-dev.1, with 30 newer development versions and two other versions. */
async function developed(): Promise<string> {
  const appId = await test.app(ada);
  await test.deployAndWait(ada, appId, { ir_dict: documentOf(appId, dev(1)) });
  await test.query("UPDATE app_versions SET created_at = now() - interval '1 day' WHERE app_id = $1", [appId]);
  await deployedLongAgo(appId, ['0.1.0', '1.0.0-dev.x', ...numbers(2, 31).map(dev)]);
  return appId;
}

const prune = () => test.gateway.service.app.get(DevelopmentVersionsService).deleteUnusedVersions();
const held = async (appId: string, table = 'app_versions') =>
  (await test.query<{ version: string }>(`SELECT version FROM ${table} WHERE app_id = $1`, [appId]))
    .map(({ version }) => version)
    .sort();
const newest = (count: number) => numbers(32 - count, 31).map(dev);

describe('development versions', () => {
  it('are deleted with their deploys, but for the newest 20 and what is served; others never are', async () => {
    const [appId, other] = [await developed(), await developed()];
    await Promise.all([prune(), prune()]);
    for (const id of [appId, other]) {
      const left = [...newest(20), dev(1), '0.1.0', '1.0.0-dev.x'].sort();
      expect(await held(id)).toEqual(left);
      expect(await held(id, 'deploys')).toEqual(left);
      expect(await test.servedVersions(id)).toEqual({ gateway: dev(1), registry: dev(1) });
    }
    await test.gateway.service.app.get(DeployReconciliationWorker).reconcileDeploys();
    expect(await test.servedVersions(appId)).toEqual({ gateway: dev(1), registry: dev(1) });
    expect(await test.query('SELECT FROM app_mismatches WHERE app_id = $1', [appId])).toEqual([]);
    expect(await test.deployAndWait(ada, appId, { version: dev(12) })).toMatchObject({ status: 'success' });
    expect((await ada.client.post(`/v1/developer/apps/${appId}/deploys`, { version: dev(11) })).status).toBe(409);
  });

  it('stay while they are under review, deployed, or younger than an hour', async () => {
    const appId = await developed();
    await test.query(
      "UPDATE apps SET submitted_version = $2, submitted_at = now(), status = 'pending_review' WHERE app_id = $1",
      [appId, dev(2)],
    );
    await test.query(
      "UPDATE deploys SET status = 'pending', finished_at = NULL, held_at = NULL, validated_at = NULL WHERE app_id = $1 AND version = $2",
      [appId, dev(3)],
    );
    await test.query('UPDATE app_versions SET created_at = now() WHERE app_id = $1 AND version = ANY ($2)', [
      appId,
      newest(25),
    ]);
    await prune();
    expect(await held(appId)).toEqual([...newest(25), dev(1), dev(2), dev(3), '0.1.0', '1.0.0-dev.x'].sort());
  });

  it('stay while the Registry may serve one of them still', async () => {
    const appId = await developed();
    await test.query('UPDATE deploys SET released_at = NULL WHERE app_id = $1 AND version = $2', [appId, dev(1)]);
    await prune();
    expect(await held(appId)).toHaveLength(33);
    await test.query('UPDATE deploys SET released_at = now() WHERE app_id = $1 AND version = $2', [appId, dev(1)]);
    await prune();
    expect(await held(appId)).toHaveLength(23);
  });

  it('that somebody deploys at the same moment are kept, or not found: nothing is served that is not held', async () => {
    for (const number of [2, 3, 4]) {
      const appId = await developed();
      const [answer] = await Promise.all([
        ada.client.post<{ deploy_id: string }>(`/v1/developer/apps/${appId}/deploys`, { version: dev(number) }),
        prune(),
      ]);
      expect([201, 409]).toContain(answer.status);
      expect((await held(appId)).includes(dev(number))).toBe(answer.status === 201);
      if (answer.status === 201) {
        expect(await test.waitForDeploy(ada, appId, answer.body.deploy_id)).toMatchObject({ status: 'success' });
        expect(await test.servedVersions(appId)).toEqual({ gateway: dev(number), registry: dev(number) });
      }
    }
  });
});
