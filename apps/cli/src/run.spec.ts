import { until } from '@platform/testing';
import { run } from './run.js';
import { FakePlatform } from './testing/fake-platform.js';

let platform: FakePlatform;
beforeAll(async () => (platform = await FakePlatform.start()));
beforeEach(() => platform.reset());
afterEach(() => jest.restoreAllMocks());
afterAll(() => platform.stop());

it('is cancelled without a word more while it waits for a platform that is away', async () => {
  platform.answer = ({ line }) =>
    line.includes('limit=100') ? [200, { items: [], next: '7' }] : [503, { detail: 'Not now.', code: 'unavailable' }];
  const ended = run(['--url', platform.url, 'logs', 'notes', '--follow']);
  await until(() => platform.noted.includes('Not now. Trying again.'));
  process.emit('SIGINT');
  expect(await ended).toBe(130);
  await new Promise(setImmediate);
  expect(platform.noted).toMatch(/Trying again\.\n\nCancelled\.\n$/);
});
