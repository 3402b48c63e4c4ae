import { FakePlatform } from '../testing/fake-platform.js';
import { restoreTerminal, setTerminal, typeAtTerminal } from '../testing/terminal.js';

let platform: FakePlatform;
beforeAll(async () => (platform = await FakePlatform.start()));
beforeEach(() => platform.reset());
afterEach(() => {
  restoreTerminal();
  jest.restoreAllMocks();
});
afterAll(() => platform.stop());

const deleted = () => (platform.answer = () => [200, { app_id: 'notes', status: 'deleted' }]);

describe('platform apps delete', () => {
  it.each(['y', 'yes'])('deletes the app when %s is typed, naming it to the platform', async (answer) => {
    deleted();
    typeAtTerminal(answer);
    expect(await platform.run('apps', 'delete', 'notes')).toBeNull();
    expect(platform.noted).toContain('Delete notes with its versions and installs? This cannot be undone. [y/N] ');
    expect(platform.asked).toMatchObject([
      { line: 'DELETE /v1/developer/apps/notes', body: { confirm_name: 'notes' } },
    ]);
    expect(platform.printed).toBe('notes was deleted.\n');
  });

  it('deletes nothing otherwise', async () => {
    for (const answer of ['', 'n', 'notes', 'yesterday']) {
      typeAtTerminal(answer);
      expect(await platform.run('apps', 'delete', 'notes')).toEqual({ message: 'Nothing was deleted.', exitCode: 1 });
    }
    expect(platform.asked).toEqual([]);
  });

  it('asks no script, which says --yes', async () => {
    setTerminal(false);
    expect(await platform.run('apps', 'delete', 'notes')).toEqual({
      message: 'Cannot ask for confirmation here. Add --yes to delete the app.',
      exitCode: 2,
    });
    typeAtTerminal('y');
    expect(await platform.run('--json', 'apps', 'delete', 'notes')).toMatchObject({ exitCode: 2 });
    expect(platform.asked).toEqual([]);
    deleted();
    expect(await platform.run('--json', 'apps', 'delete', 'notes', '--yes')).toBeNull();
    expect(JSON.parse(platform.printed)).toEqual({ app_id: 'notes', status: 'deleted' });
  });
});

describe('platform apps suspend', () => {
  it('takes the app out, once that is agreed to', async () => {
    platform.answer = () => [200, { app_id: 'notes', status: 'suspended' }];
    typeAtTerminal('n');
    expect(await platform.run('apps', 'suspend', 'notes')).toEqual({ message: 'Nothing was changed.', exitCode: 1 });
    setTerminal(false);
    expect(await platform.run('apps', 'suspend', 'notes')).toEqual({
      message: 'Cannot ask for confirmation here. Add --yes to suspend the app.',
      exitCode: 2,
    });
    expect(platform.asked).toEqual([]);
    typeAtTerminal('y');
    expect(await platform.run('apps', 'suspend', 'notes')).toBeNull();
    expect(await platform.run('--json', 'apps', 'suspend', 'notes', '--yes')).toBeNull();
    expect(platform.asked.map(({ line }) => line)).toEqual(Array(2).fill('POST /v1/developer/apps/notes/suspend'));
    const [text = '', json = ''] = platform.printed.split(/(?<=`\.\n)/);
    expect(text).toBe('notes is suspended. Request a new review with `platform submit notes`.\n');
    expect(JSON.parse(json)).toEqual({ app_id: 'notes', status: 'suspended' });
  });

  it('is what has to come before a delete, which says so', async () => {
    platform.answer = () => [409, { detail: 'The app is active, so this cannot be done.', code: 'app.wrong_status' }];
    expect(await platform.run('apps', 'delete', 'notes', '--yes')).toEqual({
      message: 'The app is active, so this cannot be done. `platform apps suspend notes` must run first.',
      exitCode: 1,
    });
    expect(await platform.run('apps', 'suspend', 'notes', '--yes')).toMatchObject({
      message: 'The app is active, so this cannot be done.',
    });
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

describe('platform apps rollback', () => {
  /** Answers with these deploys, newest first. The version of the latest successful deploy runs. */
  function deployed(present: string, deploys: { version: string | null; status: string }[]): void {
    platform.answer = ({ line }) => {
      const { pathname, searchParams } = new URL(line.slice(line.indexOf('/')), platform.url);
      if (line.startsWith('POST'))
        return [201, { app_id: 'notes', deploy_id: 'dep_1', status: 'success', deployed_at: '2026-11-21T10:00:00Z' }];
      if (pathname === '/v1/developer/apps/notes') return [200, { app_id: 'notes', version: present }];
      const [limit, offset] = [Number(searchParams.get('limit')), Number(searchParams.get('offset'))];
      return [200, deploys.slice(offset, offset + limit)];
    };
  }
  const success = (version: string) => ({ version, status: 'success' });
  const times = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one);

  it.each([
    [
      'what ran before the last deploy of the present version',
      [success('3.0.0'), success('2.0.0'), success('1.0.0')],
      '2.0.0',
    ],
    [
      'not what failed, nor the same version again',
      [success('3.0.0'), { version: '2.0.0', status: 'failed' }, success('3.0.0'), success('1.0.0')],
      '1.0.0',
    ],
    [
      'what ran long ago, on another page',
      [...times(150, success('3.0.0')), ...times(60, { version: null, status: 'success' }), success('2.0.0')],
      '2.0.0',
    ],
    ['the newest, where no deploy brought the present version', [success('2.0.0'), success('1.0.0')], '2.0.0'],
    [
      'no version of platform dev, which users never had',
      [success('3.0.0'), success('3.0.0-dev.2'), success('3.0.0-dev.1'), success('2.0.0')],
      '2.0.0',
    ],
    [
      'no version of platform dev either, where no deploy brought the present one',
      [success('2.0.0-dev.2'), success('1.0.0')],
      '1.0.0',
    ],
  ])('goes back to %s', async (_what, deploys, version) => {
    deployed('3.0.0', deploys);
    expect(await platform.run('apps', 'rollback', 'notes')).toBeNull();
    expect(platform.asked.at(-1)).toMatchObject({ line: 'POST /v1/developer/apps/notes/deploys', body: { version } });
    expect(platform.printed).toBe(`notes now runs ${version} instead of 3.0.0.\n`);
  });

  it('deploys nothing where nothing else has run', async () => {
    deployed('3.0.0', times(130, success('3.0.0')));
    const message = 'No other version of notes ran before 3.0.0. To roll back to a version of `platform dev`, name it.';
    expect(await platform.run('apps', 'rollback', 'notes')).toEqual({ message, exitCode: 1 });
    expect(platform.asked.map(({ line }) => line).filter((line) => line.startsWith('POST'))).toEqual([]);
  });

  it('goes back to a version of platform dev that is named', async () => {
    deployed('3.0.0', [success('3.0.0'), success('3.0.0-dev.2')]);
    expect(await platform.run('apps', 'rollback', 'notes', '3.0.0-dev.2')).toBeNull();
    expect(platform.asked.at(-1)).toMatchObject({ body: { version: '3.0.0-dev.2' } });
  });

  it('says what a version waits for', async () => {
    deployed('3.0.0', [success('3.0.0'), success('2.0.0')]);
    const before = platform.answer;
    const lists = { hosts: [], capabilities: [], events: [], webhooks: [], schedules: [], functions: [] };
    const news = { scopes: ['mail:send'], ...lists, name: null, icon: false };
    const waiting = {
      app_id: 'notes',
      deploy_id: 'dep_1',
      status: 'waiting',
      deployed_at: '2026-11-21T10:00:00Z',
      waits_for: news,
    };
    platform.answer = (asked) => (asked.line.startsWith('POST') ? [201, waiting] : before(asked));
    expect(await platform.run('apps', 'rollback', 'notes')).toBeNull();
    expect(platform.printed).toBe(
      'notes 2.0.0 was accepted.\nIt waits for review; 3.0.0 keeps running. New in this version:\n  scopes: mail:send\n',
    );
  });

  it('does not go back to a version of platform dev by itself', async () => {
    deployed('3.0.0', [success('3.0.0'), success('3.0.0-dev.2'), success('3.0.0-dev.1')]);
    expect(await platform.run('apps', 'rollback', 'notes')).toMatchObject({ exitCode: 1 });
  });
});

describe('platform apps create', () => {
  it.each(['a b', 'a', 'Notes'])('says plainly that %j is no id', async (appId) => {
    const message =
      'The id of an app must have 2 to 64 characters of a-z, 0-9 and "-", and must not begin or end with "-".';
    expect(await platform.run('apps', 'create', appId)).toEqual({ message, exitCode: 2 });
    expect(platform.asked).toEqual([]);
  });
});
