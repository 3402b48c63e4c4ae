import { sha256 } from '@platform/platform';
import { DeployTest, documentOf, type TestDeveloper } from '../../../testing/deploy-test.js';
import { addCrashPoints, CrashingWorker } from '../../../testing/crashing-worker.js';
import { RegistryClient } from '../../../kernel/peers/registry/registry.client.js';
import type { AppSyncJobs } from '../versions/app-sync.jobs.js';
import type { DeployJobs } from '../versions/deploy.jobs.js';
import { AppSyncService } from './app-sync.service.js';
import { DeploySagaWorker } from './deploy-saga.worker.js';
import { DeployStatesService } from './deploy-states.service.js';

let test: DeployTest;
let ada: TestDeveloper;
beforeAll(async () => {
  // The test runs the workers itself.
  test = await DeployTest.start();
  ada = await test.developer();
  const { app } = test.gateway.service;
  addCrashPoints(app.get(RegistryClient), ['getApp', 'getTools']);
  addCrashPoints(app.get(RegistryClient), ['createApp', 'updateApp', 'putTools'], expectBothHold);
  addCrashPoints(app.get(DeployStatesService), ['startDeploy', 'startSyncing', 'markStored']);
  addCrashPoints(app.get(DeployStatesService), ['serveVersion'], expectBothHold);
});
afterAll(() => test.stop());

/**
 * Fixed, so that runs are repeatable. `SEED` in the environment sets another; each failure prints
 * it.
 */
const seed = Number(process.env['SEED'] ?? 18);
let drawn = 0;
/** A number from 0 to `below` - 1; the same sequence for the same seed. */
const random = (below: number): number => sha256(`${seed} ${++drawn}`).readUInt32BE() % below;

/** Each side serves a version that both sides hold, with the same functions. */
async function expectBothHold(): Promise<void> {
  const violations = await test.query(`
    SELECT a.app_id, a.served_version, r.version AS registry_version
    FROM apps a LEFT JOIN registry.apps r ON r.app_id = a.app_id
    WHERE NOT a.system AND EXISTS (
      SELECT FROM unnest(ARRAY[a.served_version, r.version]) AS served (version)
        LEFT JOIN app_versions g ON g.app_id = a.app_id AND g.version = served.version
        LEFT JOIN registry.manifests m ON m.app_id = a.app_id AND m.version = served.version
      WHERE served.version IS NOT NULL AND (g.manifest -> 'tools')::jsonb IS DISTINCT FROM m.tools::jsonb)`);
  expect({ seed, violations }).toEqual({ seed, violations: [] });
}

interface Job {
  id: string;
  queue: string;
  payload: DeployJobs['run'] & AppSyncJobs['sync'];
}

/** Runs all open jobs, as a worker does that gets each job at least once. */
async function workOff(): Promise<void> {
  const { app } = test.gateway.service;
  for (;;) {
    const [job] = await test.query<Job>(
      "SELECT id, queue, payload FROM outbox WHERE queue IN ('deploys', 'app-sync') ORDER BY id LIMIT 1",
    );
    if (!job) return;
    if (job.queue === 'deploys') await app.get(DeploySagaWorker).runDeploy(job.payload.deploy_id);
    else await app.get(AppSyncService).syncApp(job.payload.app_id, job.payload);
    await test.query('DELETE FROM outbox WHERE id = $1', [job.id]);
  }
}

/** More than a deploy has. */
const BOUNDARIES = 40;

it('each side serves only what both hold, wherever workers die, and both come to serve the newest', async () => {
  const appId = await test.app(ada);
  const known: string[] = [];
  for (let round = 1; round <= 50; round++) {
    const fresh = random(4) ? [`${round}.0.0`, ...(random(3) ? [] : [`${round}.1.0`])] : [];
    for (const version of fresh) await test.deploy(ada, appId, { ir_dict: documentOf(appId, version, version) });
    known.push(...fresh);
    const older = known.at(-1 - random(3));
    if (older !== undefined && !random(2)) await test.deploy(ada, appId, { version: older });
    const killed = Array.from({ length: 1 + random(3) }, () => new CrashingWorker(random(BOUNDARIES)));
    for (const worker of killed) await worker.runUntilCrash(workOff);
    await expectBothHold();
    // Workers that were only slow continue while another one takes over, or after it is done.
    const slow = killed.filter(() => random(2));
    const takesOver = new CrashingWorker(Infinity).runUntilCrash(workOff);
    await Promise.all(slow.filter(() => random(2)).map((worker) => worker.resume()));
    await takesOver;
    await Promise.all(slow.map((worker) => worker.resume()));
    const [newest] = await test.query<{ version: string }>(
      'SELECT version FROM deploys WHERE app_id = $1 ORDER BY number DESC LIMIT 1',
      [appId],
    );
    const version = newest?.version ?? null;
    expect({ seed, round, ...(await test.servedVersions(appId)) }).toEqual({
      seed,
      round,
      gateway: version,
      registry: version,
    });
  }
}, 120_000);

describe('a worker that stopped just before it moves what the Registry serves', () => {
  /** Serves 1.0.0 and deploys 2.0.0 up to the last step, the change in the Registry. */
  async function stoppedWorker(): Promise<{ appId: string; worker: CrashingWorker }> {
    const appId = await test.app(ada);
    for (const version of ['1.0.0', '2.0.0']) {
      await test.deploy(ada, appId, { ir_dict: documentOf(appId, version, version) });
      if (version === '1.0.0') await workOff();
    }
    const worker = new CrashingWorker(Infinity);
    const updateApp = jest.spyOn(test.gateway.service.app.get(RegistryClient), 'updateApp');
    const original = updateApp.getMockImplementation();
    updateApp.mockImplementationOnce((...args) => {
      worker.stop();
      return original?.(...args) as never;
    });
    expect(await worker.runUntilCrash(workOff)).toBe('crashed');
    expect(await test.servedVersions(appId)).toEqual({ gateway: '2.0.0', registry: '1.0.0' });
    return { appId, worker };
  }

  it('cannot take it back from a newer deploy', async () => {
    const { appId, worker } = await stoppedWorker();
    await test.deploy(ada, appId, { ir_dict: documentOf(appId, '3.0.0', '3') });
    await workOff();
    await test.query('CREATE TABLE moves (version text)');
    await test.query(
      'CREATE RULE moves AS ON UPDATE TO registry.apps DO ALSO INSERT INTO gateway.moves VALUES (NEW.version)',
    );
    await worker.resume();
    expect(await test.query('SELECT * FROM moves')).toEqual([]);
    await test.query('DROP RULE moves ON registry.apps; DROP TABLE moves');
    expect(await test.servedVersions(appId)).toEqual({ gateway: '3.0.0', registry: '3.0.0' });
  });

  it('looks again at what it has moved, since the gateway may have gone back meanwhile', async () => {
    const { appId, worker } = await stoppedWorker();
    await test.query("DELETE FROM outbox WHERE queue = 'app-sync'"); // no other worker gets its job
    await test.deploy(ada, appId, { version: '1.0.0' });
    await workOff();
    expect(await test.servedVersions(appId)).toEqual({ gateway: '1.0.0', registry: '1.0.0' });
    await worker.resume();
    expect(await test.servedVersions(appId)).toEqual({ gateway: '1.0.0', registry: '1.0.0' });
  });
});
