import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { starterDocument } from '../app-document/starter.js';
import { FakePlatform } from '../testing/fake-platform.js';

const folder = mkdtempSync(join(tmpdir(), 'platform-deploy-'));
const file = join(folder, 'app.json');
let platform: FakePlatform;
beforeAll(async () => (platform = await FakePlatform.start()));
beforeEach(() => platform.reset());
afterEach(() => jest.restoreAllMocks());
afterAll(async () => {
  await platform.stop();
  rmSync(folder, { recursive: true });
});

it.each([
  [
    'is already waiting for review',
    {
      ...{ scopes: ['mail:send'], hosts: [], capabilities: [], events: [], webhooks: [], schedules: [] },
      ...{ functions: [], name: null, icon: false },
    },
  ],
  ['is already deployed', null],
])('platform deploy once more says that it %s', async (what, waits_for) => {
  writeFileSync(file, JSON.stringify(starterDocument('notes', 'https://example.com')));
  const data = {
    app_id: 'notes',
    deployed_at: '2026-11-21T00:00:00.000Z',
    steps_registered: 1,
    ir_version: '1.0',
    webhooks: [],
    warnings: [],
    unchanged: true,
    waits_for,
  };
  platform.answer = ({ line }) => {
    if (line === 'GET /v1/developer/profile') return [200, { platform_id: 'usr_1' }];
    if (line.includes('/deploys?')) return [200, []];
    if (line.startsWith('GET /v1/developer/apps/')) return [200, { app_id: 'notes', status: 'active' }];
    return [200, { status: 'success', data, summary: null, ui: null, retryable: false }];
  };
  expect(await platform.run('deploy', file)).toBeNull();
  expect(platform.printed).toMatch(new RegExp(`^notes 0\\.1\\.0 ${what}: nothing has changed\\.\n`));
});
