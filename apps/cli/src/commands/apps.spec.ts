import { PassThrough } from 'node:stream';
import { PlatformStandIn } from '../testing/platform-stand-in.js';

let platform: PlatformStandIn;
const { stdin, stderr } = process;
beforeAll(async () => (platform = await PlatformStandIn.start()));
beforeEach(() => platform.reset());
afterEach(() => {
  Object.defineProperty(process, 'stdin', { value: stdin, configurable: true });
  Object.defineProperty(stderr, 'isTTY', { value: undefined, configurable: true });
  jest.restoreAllMocks();
});
afterAll(() => platform.stop());

/** Somebody at a terminal who types `line`. */
function typing(line: string): void {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  input.end(`${line}\n`);
  Object.defineProperty(process, 'stdin', { value: input, configurable: true });
  Object.defineProperty(stderr, 'isTTY', { value: true, configurable: true });
}

const deleted = () => (platform.answer = () => [200, { app_id: 'notes', status: 'deleted' }]);

describe('platform apps delete', () => {
  it.each(['y', 'yes'])('deletes the app when %s is typed, naming it to the platform', async (answer) => {
    deleted();
    typing(answer);
    expect(await platform.run('apps', 'delete', 'notes')).toBeNull();
    expect(platform.noted).toContain('Delete notes with its versions and installs? It does not come back. [y/N] ');
    expect(platform.asked).toMatchObject([{ line: 'DELETE /v1/developer/apps/notes', body: { confirm_name: 'notes' } }]);
    expect(platform.printed).toBe('notes is deleted.\n');
  });

  it('deletes nothing otherwise', async () => {
    for (const answer of ['', 'n', 'notes', 'yesterday']) {
      typing(answer);
      expect(await platform.run('apps', 'delete', 'notes')).toEqual({ message: 'Nothing was deleted.', exitCode: 1 });
    }
    expect(platform.asked).toEqual([]);
  });

  it('asks no script, which says --yes', async () => {
    Object.defineProperty(process, 'stdin', { value: new PassThrough(), configurable: true });
    expect(await platform.run('apps', 'delete', 'notes')).toEqual({ message: 'Add --yes to delete it.', exitCode: 2 });
    typing('y');
    expect(await platform.run('--json', 'apps', 'delete', 'notes')).toMatchObject({ exitCode: 2 });
    expect(platform.asked).toEqual([]);
    deleted();
    expect(await platform.run('--json', 'apps', 'delete', 'notes', '--yes')).toBeNull();
    expect(JSON.parse(platform.printed)).toEqual({ app_id: 'notes', status: 'deleted' });
  });
});

describe('platform apps', () => {
  it('lists the addresses of webhooks, once for all methods', async () => {
    const hook = (method: string) => ({
      path: 'hub',
      method,
      channel: 'draft',
      url: 'https://panel.example/v1/ext/notes/draft/webhook/hub',
    });
    const app = {
      app_id: 'notes',
      name: 'Notes',
      status: 'draft',
      version: '1.0.0',
      updated_at: '2026-11-21T10:00:00Z',
      reject_reason: null,
    };
    const plain = { ...app, app_id: 'plain', webhooks: [] };
    platform.answer = () => [200, [{ ...app, webhooks: [hook('GET'), hook('POST')] }, plain]];
    expect(await platform.run('apps')).toBeNull();
    expect(platform.printed).toMatch(
      /\n\nAPP {4}WEBHOOK\nnotes {2}GET, POST https:\/\/panel\.example\/v1\/ext\/notes\/draft\/webhook\/hub\n$/,
    );
    platform.printed = '';
    platform.answer = () => [200, [plain]];
    expect(await platform.run('apps')).toBeNull();
    expect(platform.printed).not.toContain('WEBHOOK');
  });
});
