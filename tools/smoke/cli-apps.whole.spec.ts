import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Computer } from '../terminal/computer.js';
import { GatewayWithPeople, type Person } from './people-and-computers.js';
import { Relay } from './relay.js';

interface Document {
  app_id: string;
  version: string;
}

/** Apps from the command line: the built command, gateway and Registry. */
describe('platform deploy, apps and submit', () => {
  let platform: GatewayWithPeople;
  let relay: Relay;
  let ada: Person;
  let adas: Computer;
  let adasByRelay: Computer;
  let graces: Computer;
  /** Computer of an administrator. */
  let roots: Computer;

  beforeAll(async () => {
    platform = await GatewayWithPeople.start({ withRegistry: true });
    relay = await Relay.start(platform.url);
    ada = await platform.signUp('ada@example.com');
    const grace = await platform.signUp('grace@example.com');
    const root = await platform.signUp('root@example.com');
    await platform.makeAdministrator('root@example.com');
    [adas, adasByRelay, graces, roots] = await Promise.all([
      ada.signedInComputer(),
      ada.signedInComputer(relay.url),
      grace.signedInComputer(),
      root.signedInComputer(),
    ]);
    const registered = await adas.run(`deploy ${(await newApp()).file} --nickname ada`);
    expect(registered).toMatchObject({ exitCode: 0 });
  }, 120_000);

  beforeEach(() => (relay.beforeAnswer = () => undefined));

  afterAll(async () => {
    await relay.stop();
    await platform.stop();
  });

  let count = 0;
  /** Creates the file of a new app with `platform init`. */
  async function newApp(): Promise<{ appId: string; file: string; change: (change: Partial<Document>) => void }> {
    const appId = `notes-${++count}`;
    const folder = join(platform.newFolder(), appId);
    await platform.newComputer().run(`init ${folder}`);
    const file = join(folder, 'app.json');
    const change = (change: Partial<Document>) =>
      writeFileSync(file, JSON.stringify({ ...(JSON.parse(readFileSync(file, 'utf8')) as Document), ...change }));
    return { appId, file, change };
  }

  const deploysOf = (appId: string) =>
    platform.query<{ version: string; status: string }>(
      'SELECT version, status FROM gateway.deploys WHERE app_id = $1 ORDER BY number',
      [appId],
    );

  it('makes a developer, creates the app, tells how far the deploy is, and prints the receipt', async () => {
    const { appId, file } = await newApp();
    const { exitCode, stdout, stderr } = await graces.run(`deploy ${file} --nickname grace`);
    expect([exitCode, stderr.split('\n')]).toEqual([
      0,
      [
        'You are now registered as a developer with the nickname grace.',
        'Document received.',
        'Document validated.',
        'Functions registered.',
        'Version started.',
        'Version available to sessions.',
        '',
      ],
    ]);
    expect(stdout).toMatch(
      new RegExp(
        `^${appId} 0\\.1\\.0 was deployed\\.\\n  Functions    add_note \\(write\\), list_notes \\(read\\)\\n  Steps        6\\n`,
      ),
    );
    expect(stdout).toContain(`The app is a draft. Run \`platform submit ${appId}\``);
    await expect(deploysOf(appId)).resolves.toEqual([{ version: '0.1.0', status: 'success' }]);
  });

  it('asks nobody for a nickname where nobody can answer', async () => {
    const linus = await (await platform.signUp('linus@example.com')).signedInComputer();
    const { file } = await newApp();
    await expect(linus.run(`deploy ${file}`)).resolves.toEqual({
      exitCode: 2,
      stdout: '',
      stderr: 'You are not registered as a developer yet. Add --nickname <name> to register.\n',
    });
    const taken = await linus.run(`deploy ${file} --nickname ada`);
    expect([taken.exitCode, taken.stderr]).toEqual([1, 'This nickname is taken.\n']);
  });

  it('gives programs the receipt, and takes an API key', async () => {
    const scopes = 'apps:read,apps:write,developer:call';
    const key = JSON.parse((await adas.run(`keys create ci --scopes ${scopes} --json`)).stdout) as { key: string };
    const { appId, file } = await newApp();
    const narrow = JSON.parse((await adas.run('keys create narrow --scopes apps:read,apps:write --json')).stdout) as {
      key: string;
    };
    const refused = await platform.newComputer().run(`deploy ${file}`, { PLATFORM_API_KEY: narrow.key });
    expect([refused.exitCode, refused.stderr]).toEqual([
      1,
      expect.stringMatching(
        /^Missing required scope: extensions:call or developer:call\. The API key does not have it\. The key comes from PLATFORM_API_KEY/,
      ),
    ]);
    const noKey = await platform.newComputer().run(`deploy ${file}`, { PLATFORM_API_KEY: 'secret' });
    expect([noKey.exitCode, noKey.stderr]).toEqual([3, 'PLATFORM_API_KEY is not an API key (cp_live_…).\n']);
    const build = await platform.newComputer().run(`deploy ${file} --json`, { PLATFORM_API_KEY: key.key });
    expect(build.exitCode).toBe(0);
    expect(JSON.parse(build.stdout)).toMatchObject({
      app_id: appId,
      steps_registered: 6,
      ir_version: '1.0',
      status: 'deployed',
    });
  });

  it('does nothing twice, and replaces the content of a version of a draft', async () => {
    const { appId, file, change } = await newApp();
    const [first, second] = [await adas.run(`deploy ${file} --json`), await adas.run(`deploy ${file} --json`)];
    expect(JSON.parse(second.stdout)).toEqual({ ...(JSON.parse(first.stdout) as object), unchanged: true });
    expect((await adas.run(`deploy ${file}`)).stdout).toContain(
      `${appId} 0.1.0 is already deployed: nothing has changed.`,
    );
    await expect(deploysOf(appId)).resolves.toHaveLength(1);
    change({ version: '0.2.0' });
    expect((await adas.run(`deploy ${file}`)).stdout).toContain(`${appId} 0.2.0 was deployed.`);
    writeFileSync(file, readFileSync(file, 'utf8').replace('Stores a note', 'Stores one note'));
    expect((await adas.run(`deploy ${file}`)).stdout).toContain(`${appId} 0.2.0 was deployed.`);
    await expect(deploysOf(appId)).resolves.toHaveLength(3);
  });

  it('tries again when answers are lost, and deploys once', async () => {
    const { appId, file } = await newApp();
    const lose = (path: string, times: number) => {
      relay.beforeAnswer = (answer) => (answer.path === path && times-- > 0 ? 'lose' : undefined);
    };
    lose('/v1/developer/apps', 1);
    const cut = await adasByRelay.run(`deploy ${file}`);
    expect(cut).toMatchObject({ exitCode: 1, stdout: '' });
    lose('/v1/extensions/developer/call', 2);
    const lossy = await adasByRelay.run(`deploy ${file}`);
    expect(lossy).toMatchObject({ exitCode: 0 });
    expect(lossy.stderr).toContain('Trying again.\n');
    await expect(deploysOf(appId)).resolves.toEqual([{ version: '0.1.0', status: 'success' }]);
  });

  it('sends nothing that is not good', async () => {
    const { appId, file, change } = await newApp();
    change({ version: 'one' });
    const { exitCode, stdout, stderr } = await adas.run(`deploy ${file}`);
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(
      /app\.json:1:\d+: "one" must be a semantic version such as "1\.0\.0"\. \(value, \/version\)\nFound 1 issue\. Nothing was deployed\.\n$/,
    );
    await expect(platform.query('SELECT 1 FROM gateway.apps WHERE app_id = $1', [appId])).resolves.toEqual([]);
  });

  it('leaves the apps of others alone', async () => {
    const { appId, file } = await newApp();
    await adas.run(`deploy ${file}`);
    const { exitCode, stderr } = await graces.run(`deploy ${file} --nickname grace`);
    expect([exitCode, stderr]).toEqual([1, `The app_id "${appId}" is already in use.\n`]);
  });

  it('submits an app for review, once it is deployed', async () => {
    const { appId, file } = await newApp();
    await adas.run(`deploy ${file}`);
    const submitted = await adas.run(`submit ${appId}`);
    expect(submitted).toMatchObject({ exitCode: 0, stderr: '' });
    expect(submitted.stdout).toMatch(
      new RegExp(`^${appId} 0\\.1\\.0 was submitted for review\\.\\n  Recommended: The app has an icon\\.\\n$`),
    );
    const again = await adas.run(`submit ${appId}`);
    expect([again.exitCode, again.stderr]).toEqual([
      1,
      'The app cannot be submitted yet.\n  Required: The app is a draft or suspended. It waits for a review already.\n',
    ]);
    expect((await adas.run('submit nothing-here')).stderr).toBe('There is no such app.\n');
  });

  it('goes from a draft to a user and back: submit, review, install, call, rollback, uninstall', async () => {
    const { appId, file, change } = await newApp();
    await adas.run(`deploy ${file}`);
    expect(await graces.run(`review approve ${appId} 0.1.0`)).toMatchObject({ exitCode: 1, stdout: '' });
    await adas.run(`submit ${appId}`);
    expect((await roots.run('review')).stdout).toMatch(new RegExp(`^${appId} +Notes`, 'm'));
    const rejected = await roots.run(['review', 'reject', appId, '0.1.0', '--reason', 'Say more.']);
    expect(rejected).toMatchObject({
      exitCode: 0,
      stdout: `${appId} is a draft again. The developer receives the reason.\n`,
    });
    expect((await adas.run('apps')).stdout).toContain(`${appId} was rejected: Say more.`);
    await adas.run(`submit ${appId}`);
    expect(await roots.run(`review approve ${appId} 0.1.0`)).toMatchObject({
      exitCode: 0,
      stdout: `${appId} 0.1.0 is now in the marketplace.\n`,
    });
    expect(await roots.run(`review approve ${appId} 0.1.0`)).toMatchObject({
      exitCode: 1,
      stderr: 'The app is active, so this cannot be done.\n',
    });

    const installed = await graces.run(`install ${appId} --yes`);
    expect([installed.exitCode, installed.stdout]).toEqual([0, `${appId} 0.1.0 was installed.\n`]);
    expect((await graces.run('installs')).stdout).toContain(appId);
    change({ version: '0.2.0' });
    await adas.run(`deploy ${file}`);
    expect(await adas.run(`apps rollback ${appId}`)).toMatchObject({
      exitCode: 0,
      stdout: `${appId} now runs 0.1.0 instead of 0.2.0.\n`,
    });
    expect(await adas.run(`apps rollback ${appId} 0.1.0`)).toMatchObject({
      exitCode: 1,
      stderr: `${appId} already runs 0.1.0.\n`,
    });
    expect(await adas.run(`apps rollback ${appId} 9.9.9`)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('0.2.0'),
    });
    expect(await graces.run(`apps rollback ${appId}`)).toMatchObject({
      exitCode: 1,
      stderr: 'There is no such app.\n',
    });
    expect(await graces.run(`uninstall ${appId}`)).toMatchObject({
      exitCode: 0,
      stdout: `${appId} was uninstalled.\n`,
    });
    expect(await graces.run('install nothing-here --yes')).toMatchObject({ exitCode: 1, stdout: '' });
  }, 120_000);

  it('creates and edits what the marketplace shows', async () => {
    const appId = `made-${++count}`;
    const created = await adas.run(['apps', 'create', appId, '--name', 'Made by hand', '--category', 'finance']);
    expect([created.exitCode, created.stdout]).toEqual([
      0,
      `${appId} was created. It has no version yet: deploy one with \`platform deploy\`.\n`,
    ]);
    expect(await adas.run(['apps', 'create', appId])).toMatchObject({
      exitCode: 1,
      stderr: `The app_id "${appId}" is already in use.\n`,
    });
    const edited = await adas.run([
      'apps',
      'edit',
      appId,
      '--license',
      'MIT',
      '--tags',
      'one, two',
      '--homepage',
      'https://made.example.com',
      '--json',
    ]);
    expect(JSON.parse(edited.stdout)).toMatchObject({
      display_name: 'Made by hand',
      category: 'finance',
      license: 'MIT',
      tags: ['one', 'two'],
      homepage: 'https://made.example.com',
    });
    expect(await adas.run(['apps', 'edit', appId, '--homepage', 'javascript:x'])).toMatchObject({
      exitCode: 1,
      stdout: '',
    });
    expect(await adas.run(`apps edit ${appId}`)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('Nothing to change.'),
    });
    expect(await graces.run(['apps', 'edit', appId, '--name', 'Mine'])).toMatchObject({
      exitCode: 1,
      stderr: 'There is no such app.\n',
    });
  });

  it('makes an administrator, with a password that keeps to the rules', async () => {
    const short = await roots.run('admin create second@example.com', {}, 'short\n');
    expect([short.exitCode, short.stderr]).toEqual([1, expect.stringContaining('at least 8 characters')]);
    expect(await roots.run('admin create second@example.com', {}, '')).toMatchObject({ exitCode: 2 });
    const made = await roots.run('admin create second@example.com', {}, 'correct horse battery\n');
    expect(made).toMatchObject({
      exitCode: 0,
      stdout: 'second@example.com is now an administrator of the tenant default.\n',
    });
    expect(await graces.run('admin create third@example.com', {}, 'correct horse battery\n')).toMatchObject({
      exitCode: 1,
      stdout: '',
    });
    await expect(
      platform.query(
        "SELECT role FROM gateway.users WHERE email LIKE '%@example.com' AND role = 'admin' ORDER BY email",
      ),
    ).resolves.toEqual([{ role: 'admin' }, { role: 'admin' }]);
  });

  it('lists the apps of the developer with their state, version and installs', async () => {
    const { appId, file } = await newApp();
    await adas.run(`deploy ${file}`);
    const json = JSON.parse((await adas.run('apps --json')).stdout) as { app_id: string }[];
    expect(json.find((app) => app.app_id === appId)).toMatchObject({
      status: 'draft',
      version: '0.1.0',
      install_count: null,
    });
    await adas.run(`submit ${appId}`);
    await platform.post(`/v1/admin/apps/${appId}/approve`, {});
    const active = JSON.parse((await adas.run('apps --json')).stdout) as { app_id: string }[];
    expect(active.find((app) => app.app_id === appId)).toMatchObject({ status: 'active', install_count: 0 });
    const [headings = '', ...rows] = (await adas.run('apps')).stdout.split('\n');
    expect(headings).toMatch(/^APP +NAME +STATUS +VERSION +INSTALLS +UPDATED$/);
    expect(rows.find((row) => row.startsWith(`${appId} `))).toMatch(/ active +0\.1\.0 +0 +\d{4}-/);
    const margaret = await (await platform.signUp('margaret@example.com')).signedInComputer();
    const none = await margaret.run('apps');
    expect([none.exitCode, none.stdout + none.stderr]).toEqual([
      1,
      'You are not registered as a developer. Register with POST /v1/developer/register. Run ' +
        '`platform deploy --nickname <name>`, or `platform apps create <app> --nickname <name>`.\n',
    ]);
  });
});
