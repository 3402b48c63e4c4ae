import { until } from '@platform/testing';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakePlatform } from '../testing/fake-platform.js';

let platform: FakePlatform;
let folder: string;
beforeAll(async () => (platform = await FakePlatform.start()));
beforeEach(() => {
  platform.reset();
  folder = mkdtempSync(join(tmpdir(), 'platform-open-'));
  // Replaces the desktop's browser by a script that records the address.
  writeFileSync(
    join(folder, 'browser'),
    `#!/bin/sh\nprintf '%s\\n' "$@" > '${opened()}.part' && mv '${opened()}.part' '${opened()}'\n`,
    {
      mode: 0o755,
    },
  );
  process.env['BROWSER'] = join(folder, 'browser');
});
afterEach(() => {
  delete process.env['BROWSER'];
  rmSync(folder, { recursive: true });
  jest.restoreAllMocks();
});
afterAll(() => platform.stop());

const opened = () => join(folder, 'opened');
const says = (panel: unknown, docs: unknown) => (platform.answer = () => [200, { panel, docs }]);

describe('platform open', () => {
  it.each([
    [[], 'https://panel.example.com'],
    [['login'], 'https://panel.example.com/login'],
    [['wallet'], 'https://panel.example.com/wallet'],
    [['docs'], 'https://platform.example.com/docs'],
  ])('%j opens the page where the platform says it is', async (page, address) => {
    says('https://panel.example.com/', 'https://platform.example.com/docs');
    expect(await platform.run('open', ...page)).toBeNull();
    expect(platform.printed).toBe(`${address}\n`);
    await until(() => existsSync(opened()));
    expect(readFileSync(opened(), 'utf8')).toBe(`${address}\n`);
  });

  it.each([
    '\\\\evil\\share\\x.exe',
    'file:///bin/sh',
    'smb://evil/share',
    '--version',
    '/bin/sh',
    'x',
    'https://a@evil.example.com',
    'http://a/?b',
  ])('opens nothing else, such as %s', async (place) => {
    says(place, 'https://platform.example.com/docs');
    expect(await platform.run('open')).toEqual({
      message: `The platform at ${platform.url} gives "${place}" as the address of its panel, which is not an http(s) address of a page. The address is not used.`,
      exitCode: 1,
    });
    says('https://panel.example.com', place);
    expect(await platform.run('open', 'docs')).toMatchObject({
      message: expect.stringContaining(`"${place}" as the address of its documentation`),
    });
    expect([platform.printed, existsSync(opened())]).toEqual(['', false]);
  });

  it('says so where something else answers', async () => {
    says(7, null);
    expect(await platform.run('open')).toMatchObject({
      message: expect.stringContaining('the server there is not the platform'),
    });
  });
});

describe('platform apps open', () => {
  const homepage = (text: string | null) => (platform.answer = () => [200, { homepage: text }]);

  it('opens the homepage, written as URLs are', async () => {
    homepage('https:\\\\notes.example.com\\a b');
    expect(await platform.run('apps', 'open', 'notes')).toBeNull();
    await until(() => existsSync(opened()));
    expect(readFileSync(opened(), 'utf8')).toBe('https://notes.example.com/a%20b\n');
  });

  it.each([null, 'file:///bin/sh', '\\\\evil\\share\\x.exe', 'https://ada:secret@evil.example.com'])(
    'opens no %j',
    async (text) => {
      homepage(text);
      expect(await platform.run('apps', 'open', 'notes')).toMatchObject({
        message: expect.stringContaining('notes has no homepage'),
      });
      expect(existsSync(opened())).toBe(false);
    },
  );
});
