import { isDeepStrictEqual } from 'node:util';
import { until, type TestClient, type TestService } from '@platform/testing';
import { createRegisteredApp } from '../../testing/registered-apps.js';
import { RegistryTest } from '../../testing/registry-test.js';
import { InstallFeedService } from './install-feed.service.js';

const USERS = 50;
const CHANGES = 200;

let platform: RegistryTest;
let second: TestService;
beforeAll(async () => {
  platform = await RegistryTest.start({ WORKERS: 'inline' });
  second = await platform.gateway.startSecondProcess();
});
afterAll(async () => {
  await second.stop();
  await platform.stop();
});

const query = <Row>(sql: string, values: unknown[] = []) => platform.gateway.service.query<Row>(sql, values);
const holders = (appId: string) =>
  query<{ user_id: string }>('SELECT user_id FROM installs WHERE app_id = $1 AND removed_at IS NULL ORDER BY user_id', [
    appId,
  ]);
const holdersInRegistry = (appId: string) =>
  platform.registry.query<{ user_id: string }>('SELECT user_id FROM installs WHERE live_app_id = $1 ORDER BY user_id', [
    appId,
  ]);
const counted = async (appId: string) =>
  (await query<{ install_count: number }>('SELECT install_count FROM app_listings WHERE app_id = $1', [appId]))[0]
    ?.install_count;

async function actors(count: number): Promise<TestClient[]> {
  return Promise.all(
    Array.from({ length: count }, async () => platform.gateway.actingFor((await platform.gateway.user()).id)),
  );
}

const change = (client: TestClient, appId: string, isInstall: boolean) => {
  const path = `/v1/marketplace/apps/${appId}/install`;
  return isInstall ? client.post(path, {}) : client.delete(path);
};

/** Each change succeeds, or gets 503 because the Registry was too slow. */
function expectAnswers(answers: readonly { status: number }[]): void {
  expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
  expect(answers.some(({ status }) => status === 200)).toBe(true);
}

/** Brings the copy up to date, also when the Registry is busy for long. */
const copyAll = (service = platform.gateway.service) =>
  until(() =>
    service.app
      .get(InstallFeedService)
      .copyChanges()
      .then(
        () => true,
        () => false,
      ),
  );

/**
 * Waits until the copy equals the Registry: changes that timed out can arrive after the last
 * answer.
 */
async function expectCopied(appId: string): Promise<void> {
  await until(async () => {
    await copyAll();
    return isDeepStrictEqual(await holders(appId), await holdersInRegistry(appId));
  });
  expect(await counted(appId)).toBe((await holders(appId)).length);
}

// Timeouts in a race may have opened the circuit to the Registry.
beforeEach(async () => {
  await copyAll();
  await copyAll(second);
});

it('counts what is there after 200 installs and uninstalls of one app by 50 users at once, in both services', async () => {
  const { app_id } = await createRegisteredApp(platform);
  const users = await actors(USERS);
  const changes = Array.from({ length: CHANGES }, (_value, at) =>
    change(users[at % USERS] as TestClient, app_id, (at * 7 + (at >> 2)) % 3 > 0),
  );
  const [answers] = await Promise.all([Promise.all(changes), copyAll(), copyAll()]);
  expectAnswers(answers);
  await expectCopied(app_id);
  expect(await counted(app_id)).toBeGreaterThan(0);
}, 120_000);

it('counts right when two processes of the gateway change many apps at once, in opposite orders', async () => {
  const apps = await Promise.all(Array.from({ length: 6 }, async () => (await createRegisteredApp(platform)).app_id));
  const [one, other] = [await actors(5), await actors(5)];
  const [answers] = await Promise.all([
    Promise.all([
      ...one.flatMap((client) => apps.map((id) => change(client, id, true))),
      ...other.flatMap((client) => [...apps].reverse().map((id) => change(client, id, true))),
    ]),
    ...[platform.gateway.service, second].flatMap((service) => [copyAll(service), copyAll(service)]),
  ]);
  expectAnswers(answers);
  for (const id of apps) await expectCopied(id);
});

it('ends in the state that the Registry has, wherever a change is cut off', async () => {
  const { app_id } = await createRegisteredApp(platform);
  const users = await actors(12);
  const changes = users.flatMap((client, at) => [change(client, app_id, true), change(client, app_id, at % 2 > 0)]);
  await platform.wire.cut();
  await platform.wire.restore();
  const answers = await Promise.all(changes);
  expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
  await expectCopied(app_id);
});
