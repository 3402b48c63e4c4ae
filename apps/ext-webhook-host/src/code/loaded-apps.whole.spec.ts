import { deployCode } from '../testing/code-apps.js';
import { HostTest } from '../testing/host.js';

/** More apps than fit into one thread, and fewer than fit into four. */
const APPS = 40;

let host: HostTest;
beforeAll(async () => {
  host = await HostTest.start();
});
afterAll(() => host.stop());

const run = async (app: ReturnType<typeof deployCode>, timeout_ms = 10_000) =>
  (await host.runFunction(app, { function: 'f', timeout_ms })).body;
/** Result of `f`: in most apps here a number that the module creates when it is loaded. */
const answerOf = async (app: ReturnType<typeof deployCode>): Promise<unknown> => (await run(app)).data;

it('many apps that run at the same time stay loaded', async () => {
  const apps = Array.from({ length: APPS }, (_, at) =>
    deployCode(host, `const loaded = Math.random(); export const f = () => loaded // ${at}`),
  );
  const round = () => Promise.all(apps.map(answerOf));
  const seen = new Set<unknown>();
  // A second thread loads an app if the first thread is in use and the second has room.
  for (let time = 0; time < 6; time++) for (const loaded of await round()) seen.add(loaded);
  const loadedAgain = (await round()).filter((loaded) => !seen.has(loaded));
  expect(loadedAgain.length).toBeLessThan(APPS / 4);
});

it('an app whose run took more memory than it began with stays loaded, and the next run finds nothing of it', async () => {
  const app = deployCode(
    host,
    `const loaded = Math.random(); let kept = null;
     export const f = () => {
       const fresh = new Uint8Array(4e6); const isDirty = kept !== null || fresh.some(Boolean);
       kept = fresh.fill(7);
       return isDirty ? 'dirty' : loaded;
     }`,
  );
  const seen = new Set<unknown>();
  for (let time = 0; time < 10; time++) seen.add(await answerOf(app));
  // Once in each thread, because a thread can still be busy when the next run arrives.
  expect(seen.size).toBeLessThanOrEqual(4);
  for (const answer of seen) expect(answer).toEqual(expect.any(Number));
});

it('an app of which runs were given up before they began runs afterwards', async () => {
  const busy = deployCode(
    host,
    'export const f = () => { const end = Date.now() + 700; while (Date.now() < end); return 1 }',
  );
  const apps = Array.from({ length: 12 }, (_, at) => deployCode(host, `export const f = () => 'runs' // ${at}`));
  await answerOf(busy);
  const computing = Array.from({ length: 4 }, () => run(busy));
  await Promise.all(apps.map((app) => run(app, 100)));
  await Promise.all(computing);
  for (const app of apps) expect(await run(app)).toMatchObject({ data: 'runs', error_code: null });
});
