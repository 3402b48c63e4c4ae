import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CredentialStore } from '../credentials/credential-store.js';
import { Interruption } from '../interruption.js';
import { resolveSettings } from '../settings.js';
import { FakePlatform } from '../testing/fake-platform.js';
import { restoreTerminal, typeAtTerminal } from '../testing/terminal.js';

let platform: FakePlatform;
beforeAll(async () => (platform = await FakePlatform.start()));
beforeEach(() => platform.reset());
afterEach(() => {
  restoreTerminal();
  jest.restoreAllMocks();
});
afterAll(() => platform.stop());

const notes = {
  ...{
    app_id: 'notes',
    name: 'Notes\u001b[2J',
    version: '1.1.0',
    is_installed: true,
    is_disabled: false,
    is_install_key_gone: false,
  },
  ...{
    requested_scopes: ['notes:read', 'notes:write'],
    granted_scopes: ['notes:read'],
    missing_scopes: ['notes:write'],
  },
  ...{ blocked_by: null, price_version: null, agreed_price_version: null },
};
const mail = {
  ...{ ...notes, app_id: 'mail', name: 'Mail', is_disabled: true, blocked_by: 'disabled' },
  ...{ requested_scopes: [], granted_scopes: [], missing_scopes: [] },
};
/** Installed by an API key that was deleted. */
const ofKey = { ...mail, is_disabled: false, is_install_key_gone: true, blocked_by: 'not_agreed' };
const granted = { ...notes, granted_scopes: notes.requested_scopes, missing_scopes: [] };

/** Answers with these apps of the user, and with this result of an install. */
const withApps = (apps: object[], [status, body]: [number, unknown] = [200, granted]) => {
  platform.answer = ({ line }) => (line === 'GET /v1/me/extensions' ? [200, apps] : [status, body]);
};
const AGREED = {
  line: 'POST /v1/marketplace/apps/notes/install',
  body: { version: '1.1.0', scopes: notes.requested_scopes, price_version: null },
};

describe('platform installs', () => {
  it('lists what one has, and what asks for more', async () => {
    withApps([notes, mail]);
    expect(await platform.run('installs')).toBeNull();
    expect(platform.printed).toContain('notes  Notes[2J  1.1.0    on     notes:read  notes:write\n');
    expect(platform.printed).toContain('mail   Mail      1.1.0    off    -           -\n');
    expect(platform.printed).toContain('Accept with `platform installs consent <app>`.');
    expect(platform.printed).not.toContain('key gone');
    withApps([]);
    expect(await platform.run('installs')).toBeNull();
    expect(platform.printed).toContain('You have no installed apps.');
  });

  it('lists what a key installed that is gone, which waits too', async () => {
    withApps([mail, ofKey]);
    expect(await platform.run('installs', '--waiting')).toBeNull();
    expect(platform.printed).toContain(
      'mail  Mail  1.1.0    key gone  -        -\n\nAccept with `platform installs consent <app>`.',
    );
  });

  it('lists only what asks for more, for a program too', async () => {
    withApps([notes, mail]);
    expect(await platform.run('--json', 'installs', 'list', '--waiting')).toBeNull();
    expect(JSON.parse(platform.printed)).toEqual([notes]);
    platform.reset();
    withApps([mail]);
    expect(await platform.run('installs', '--waiting')).toBeNull();
    expect(platform.printed).toBe('No app requests more than you granted.\n');
  });
});

it.each([
  ['installs', 'conset', 'consent'],
  ['sessions', 'revok', 'revoke'],
  ['keys', 'delet', 'delete'],
  ['secrets', 'lst', 'list'],
])(
  'platform %s %s asks whether %s was meant, and names the commands that there are',
  async (command, mistyped, meant) => {
    expect(await platform.run(command, mistyped)).toMatchObject({ exitCode: 1 });
    expect(platform.noted).toContain(`error: unknown command '${mistyped}'\n(Did you mean ${meant}?)\n`);
    expect(platform.asked).toEqual([]);
  },
);

it('names the commands that there are where none is like what was typed', async () => {
  expect(await platform.run('keys', 'frobnicate')).toMatchObject({ exitCode: 1 });
  expect(platform.noted).toMatch(
    /^error: unknown command 'frobnicate'\nSubcommands: list, create, delete\. Run the command with --help/,
  );
});

describe('platform installs consent', () => {
  it('shows what the app asks for, and agrees to that and to nothing newer', async () => {
    withApps([mail, notes]);
    expect(await platform.run('installs', 'consent', 'notes', '--yes')).toBeNull();
    expect(platform.asked.at(-1)).toEqual(AGREED);
    expect(platform.noted).toContain('notes 1.1.0 requests more permissions:\n  notes:write\n');
    expect(platform.printed).toBe('notes 1.1.0 now has the requested permissions.\n');
    withApps([notes], [409, { detail: 'The app is at version 1.2.0 by now.', code: 'install.other_version' }]);
    expect(await platform.run('installs', 'consent', 'notes', '--yes')).toEqual({
      message: 'The app is at version 1.2.0 by now.',
      exitCode: 1,
    });
  });

  it('agrees to what a key installed that is gone, also where it asks for nothing', async () => {
    withApps([ofKey], [200, mail]);
    expect(await platform.run('installs', 'consent', 'mail', '--yes')).toBeNull();
    expect(platform.asked.at(-1)).toEqual({
      line: 'POST /v1/marketplace/apps/mail/install',
      body: { version: '1.1.0', scopes: [], price_version: null },
    });
    expect(platform.noted).toBe(
      'The API key that installed mail was deleted. The app cannot act for you until you accept.\n',
    );
    expect(platform.printed).toBe('mail 1.1.0 now has the requested permissions.\n');
  });

  it('fails by an API key that could not grant it', async () => {
    withApps([notes], [200, notes]);
    const message = 'An API key can grant only scopes that it has. notes 1.1.0 still waits for notes:write.';
    expect(await platform.run('installs', 'consent', 'notes', '--yes')).toEqual({ message, exitCode: 1 });
    expect(platform.printed).toBe('');
    expect(await platform.run('--json', 'installs', 'consent', 'notes', '--yes')).toEqual({ message, exitCode: 1 });
    expect(JSON.parse(platform.printed)).toEqual(notes);
  });

  describe('by somebody who is signed in', () => {
    const folder = mkdtempSync(join(tmpdir(), 'platform-cli-'));
    const home = process.env['XDG_CONFIG_HOME'];
    let key: string | undefined;
    beforeAll(async () => {
      key = process.env['PLATFORM_API_KEY'];
      delete process.env['PLATFORM_API_KEY'];
      process.env['XDG_CONFIG_HOME'] = folder;
      await new CredentialStore(resolveSettings({ url: platform.url }, {}), new Interruption(), () => undefined).save({
        accessToken: 'access',
        refreshToken: 'refresh',
        expiresAt: Date.now() + 900_000,
      });
    });
    afterAll(() => {
      process.env['PLATFORM_API_KEY'] = key;
      if (home === undefined) delete process.env['XDG_CONFIG_HOME'];
      else process.env['XDG_CONFIG_HOME'] = home;
      rmSync(folder, { recursive: true });
    });

    it('fails where they do not hold what they agreed to, and says who can give it', async () => {
      withApps([notes]);
      expect(await platform.run('installs', 'consent', 'notes', '--yes')).toEqual({
        message: expect.stringMatching(
          /^You accepted, but your account does not have notes:write, .*PATCH \/v1\/users\/\{id\}/,
        ),
        exitCode: 1,
      });
      expect(platform.printed).toBe('');
    });

    it('is done where they hold it', async () => {
      const held = ['mail:send', 'notes:read'];
      withApps([notes], [200, { ...granted, requested_scopes: held, granted_scopes: held }]);
      expect(await platform.run('installs', 'consent', 'notes', '--yes')).toBeNull();
      expect(platform.printed).toBe('notes 1.1.0 now has the requested permissions.\n');
    });
  });

  it.each([
    [
      'without an answer, where nobody can be asked',
      [notes],
      'notes',
      { message: 'Cannot ask for confirmation here. Add --yes to accept.', exitCode: 2 },
    ],
    [
      'to an app that one does not have',
      [mail],
      'notes',
      { message: 'You have not installed notes. Run `platform install notes` first.', exitCode: 1 },
    ],
    ['where there is nothing to agree to', [mail], 'mail', null],
  ])('grants nothing %s', async (_when, apps, appId, outcome) => {
    withApps(apps);
    expect(await platform.run('installs', 'consent', appId)).toEqual(outcome);
    expect(platform.asked.map(({ line }) => line)).toEqual(['GET /v1/me/extensions']);
  });
});

describe('what an app costs', () => {
  const listing = {
    ...notes,
    author: 'Ada',
    tools: [
      { name: 'search', price: 20 },
      { name: 'free_one', price: 0 },
    ],
    monthly_price: null,
  };
  const priced = { ...listing, price_version: 2 };
  /** Answers with this app in the marketplace, and this install of the user. */
  const shown = (app: object, own: object = notes) => {
    platform.answer = ({ line }) =>
      line === 'GET /v1/me/extensions'
        ? [200, [own]]
        : [200, line === 'GET /v1/marketplace/apps/notes' ? app : granted];
  };

  it('is shown before it is installed, and that is agreed to', async () => {
    shown(priced);
    expect(await platform.run('install', 'notes', '--yes')).toBeNull();
    expect(platform.noted).toContain('It costs:\n  20 credits per call of search\n');
    expect(platform.noted).not.toContain('free_one');
    expect(platform.asked.at(-1)).toEqual({ ...AGREED, body: { ...AGREED.body, price_version: 2 } });
    shown({ ...priced, requested_scopes: [], tools: [], monthly_price: 50 });
    expect(await platform.run('install', 'notes')).toEqual({
      message: 'Cannot ask for confirmation here. Add --yes to accept.',
      exitCode: 2,
    });
    expect(platform.noted).toContain('It costs:\n  50 credits per month\n');
  });

  it('is nothing where it was shown as that', async () => {
    shown({ ...priced, tools: [], price_version: null });
    expect(await platform.run('install', 'notes', '--yes')).toBeNull();
    expect(platform.noted).not.toContain('It costs');
    expect(platform.asked.at(-1)).toEqual(AGREED);
  });

  it('waits for the user where it is another price, and is shown and sent by consenting', async () => {
    const own = { ...granted, price_version: 2, agreed_price_version: null };
    shown(priced, own);
    expect(await platform.run('installs', '--waiting')).toBeNull();
    expect(platform.printed).toContain('(new price)');
    expect(await platform.run('installs', 'consent', 'notes', '--yes')).toBeNull();
    expect(platform.noted).toContain('notes 1.1.0 costs (new price):\n  20 credits per call of search\n');
    expect(platform.asked.at(-1)).toEqual({ ...AGREED, body: { ...AGREED.body, price_version: 2 } });
    expect(platform.printed).toContain('You accepted the price of notes 1.1.0.\n');
    platform.reset();
    shown({ ...priced, tools: [{ name: 'search', price: 1 }] }, own);
    expect(await platform.run('installs', 'consent', 'notes', '--yes')).toBeNull();
    expect(platform.noted).toContain('  1 credit per call of search\n');
    platform.reset();
    shown(priced, { ...own, agreed_price_version: 2 });
    expect(await platform.run('installs', 'consent', 'notes')).toBeNull();
    expect(platform.printed).toContain('requests nothing beyond the permissions that you granted');
  });

  it('is all that is declined where nothing else is asked for', async () => {
    typeAtTerminal('n');
    shown(priced, { ...granted, price_version: 2, agreed_price_version: null });
    const message = 'You did not accept the price. Nothing was changed.';
    expect(await platform.run('installs', 'consent', 'notes')).toEqual({ message, exitCode: 1 });
    expect(platform.noted).not.toContain('in your absence');
  });
});

describe('platform uninstall', () => {
  const removed = { app_id: 'notes', installed: false, status: 'uninstalled', uninstalled_at: null, install_count: 0 };
  const uninstalled = async (answer: object, ...options: string[]) => {
    const lines: string[] = [];
    platform.answer = ({ line }) => {
      lines.push(line);
      return [200, { ...removed, ...answer }];
    };
    expect(await platform.run('uninstall', 'notes', ...options)).toBeNull();
    return lines;
  };

  it('says until when something is kept, and that it is being deleted when that was wanted', async () => {
    await uninstalled({ kept_until: '2026-12-23T00:00:00.000Z' });
    expect(platform.noted).toContain('will be deleted on 2026-12-23, unless you install it again.');
    const [line] = await uninstalled({ kept_until: null }, '--purge');
    expect(line).toContain('purge=true');
    expect(platform.noted).toContain('Its data about you is being deleted.');
  });

  it('asks for nothing else where nothing is kept', async () => {
    expect(await uninstalled({ kept_until: null })).toEqual(['DELETE /v1/marketplace/apps/notes/install']);
    expect(platform.printed).toContain('notes was uninstalled.');
  });
});
