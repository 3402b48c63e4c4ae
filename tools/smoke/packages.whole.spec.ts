import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { CommandProcess } from '../terminal/command-process.js';
import { GatewayWithPeople, PASSWORD, type Person } from './people-and-computers.js';
import { FakeNpmRegistry } from './fake-npm-registry.js';

interface Served {
  name: string;
  version: string;
  url: string;
  integrity: string;
}

/**
 * Installs the packages of a platform with npm, with an empty home and without the public
 * registry.
 */
describe('the packages', () => {
  const folder = mkdtempSync(join(tmpdir(), 'platform-packages-'));
  let platform: GatewayWithPeople;
  let registry: FakeNpmRegistry;
  let ada: Person;
  let packages: Record<'cli' | 'extension-sdk' | 'client' | 'app-document', Served>;
  /** Path of the installed command. */
  let bin: string;

  const env = (): NodeJS.ProcessEnv => ({
    PATH: process.env['PATH'],
    HOME: join(folder, 'home'),
    PLATFORM_URL: platform.url,
    npm_config_cache: join(folder, 'cache'),
    npm_config_registry: registry.url,
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
  });

  /** Runs a command to its end. */
  async function run(
    command: string,
    parameters: string[],
    cwd: string,
  ): Promise<{ code: number | null; output: string }> {
    const child = spawn(command, parameters, { cwd, env: env(), stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    return new Promise((done) => child.once('close', (code) => done({ code, output })));
  }

  function newFolder(name: string): string {
    const path = join(folder, name);
    mkdirSync(path);
    return path;
  }

  async function installed(name: string, ...keys: (keyof typeof packages)[]): Promise<string> {
    const path = newFolder(name);
    writeFileSync(join(path, 'package.json'), '{"private":true,"type":"module"}');
    const { code, output } = await run('npm', ['install', ...keys.map((key) => packages[key].url)], path);
    expect([code, output]).toEqual([0, expect.any(String)]);
    return path;
  }

  beforeAll(async () => {
    [platform, registry] = await Promise.all([
      GatewayWithPeople.start({ withRegistry: true, withHost: true, withPanel: true }),
      FakeNpmRegistry.start(),
    ]);
    ada = await platform.signUp('ada@example.com');
    newFolder('home');
    const about = (await (await fetch(`${platform.url}/`)).json()) as { panel: string };
    const index = (await (await fetch(`${about.panel}/packages/index.json`)).json()) as { packages: typeof packages };
    packages = index.packages;
  }, 180_000);

  afterAll(async () => {
    await Promise.all([platform.stop(), registry.stop()]);
    rmSync(folder, { recursive: true, force: true });
  });

  it('have the integrity that the platform tells', async () => {
    for (const { url, integrity } of Object.values(packages)) {
      const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
      expect(`sha512-${createHash('sha512').update(bytes).digest('base64')}`).toBe(integrity);
    }
  });

  it('the command installs offline into an empty folder, and runs from any other', async () => {
    const path = newFolder('offline');
    const file = join(path, 'cli.tgz');
    writeFileSync(file, Buffer.from(await (await fetch(packages.cli.url)).arrayBuffer()));
    const { code, output } = await run('npm', ['install', '--offline', '--prefix', path, file], path);
    expect([code, output]).toEqual([0, expect.stringContaining('added 1 package')]);
    bin = join(path, 'node_modules', '.bin', 'platform');
    const elsewhere = newFolder('elsewhere');
    expect(await run(bin, ['--version'], elsewhere)).toEqual({ code: 0, output: `${packages.cli.version}\n` });
    expect(await run(bin, ['whoami', '--json'], elsewhere)).toEqual({
      code: 3,
      output: expect.stringMatching(/^\{"error":\{"code":"not_signed_in",.*\}\}\n$/),
    });
    expect(await run(bin, ['--json', 'validat'], elsewhere)).toEqual({
      code: 2,
      output: expect.stringMatching(
        /^\{"error":\{"code":"usage","message":"unknown command 'validat'.*","exit_code":2\}\}\n$/,
      ),
    });
    expect(await run(bin, ['init', 'notes'], elsewhere)).toMatchObject({ code: 0 });
    expect(await run(bin, ['validate', 'notes/app.json'], elsewhere)).toEqual({
      code: 0,
      output: 'notes/app.json is valid: notes 0.1.0.\n',
    });
    expect((await run(bin, ['init', '--typescript', 'typed'], elsewhere)).code).toBe(0);
    expect(await run(bin, ['validate', 'typed/src/extension.ts'], elsewhere)).toMatchObject({
      code: 1,
      output: expect.stringMatching(
        /^Building apps in TypeScript and JavaScript needs esbuild, which was not installed/,
      ),
    });
  }, 120_000);

  it('the command signs in and deploys, installed by the address of the package', async () => {
    const path = await installed('online', 'cli');
    bin = join(path, 'node_modules', '.bin', 'platform');
    const login = CommandProcess.start(['login'], env(), bin);
    await ada.decide(login, 'approve');
    expect([await login.exited, login.stderr]).toEqual([0, expect.any(String)]);
    const elsewhere = join(folder, 'elsewhere');
    expect(await run(bin, ['deploy', 'notes/app.json', '--nickname', 'ada'], elsewhere)).toMatchObject({ code: 0 });
    const doctor = await run(bin, ['doctor', '--json'], elsewhere);
    const { checks } = JSON.parse(doctor.output) as { checks: { name: string; state: string }[] };
    expect(checks.map(({ name, state }) => [name, state])).toEqual(
      ['node', 'builder', 'platform', 'version', 'login'].map((name) => [name, 'ok']),
    );
    expect(await run(bin, ['open', 'docs'], elsewhere)).toMatchObject({
      code: 0,
      output: expect.stringContaining(`${platform.url}/docs`),
    });
  }, 120_000);

  it('the command runs by npx, in an empty folder', async () => {
    const path = newFolder('npx');
    expect(await run('npx', ['--yes', packages.cli.url, 'whoami', '--json'], path)).toMatchObject({
      code: 0,
      output: expect.stringContaining(ada.email),
    });
  }, 120_000);

  it('the extension that `platform init --typescript` writes installs, passes its types and its test, and deploys', async () => {
    const path = newFolder('apps');
    expect(await run(bin, ['init', '--typescript', 'my-notes'], path)).toMatchObject({ code: 0 });
    const project = join(path, 'my-notes');
    expect(await run('npm', ['install'], project)).toMatchObject({ code: 0 });
    const lock = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, object>;
    };
    const { url, integrity, version } = packages['extension-sdk'];
    expect(lock.packages['node_modules/@platform/extension-sdk']).toMatchObject({ version, resolved: url, integrity });
    const test = await run('npm', ['test'], project);
    expect(test).toMatchObject({ code: 0, output: expect.stringMatching(/^(# |ℹ )pass 2$/m) });
    // The package name alone also installs the platform's package.
    expect(await run('npm', ['install', '@platform/extension-sdk@latest'], project)).toMatchObject({ code: 0 });
    expect(await run(bin, ['deploy', 'my-notes/src/extension.ts'], path)).toMatchObject({ code: 0 });
    const call = await run(bin, ['call', 'my-notes', 'add_note', '--params', '{"text":"Buy milk"}'], path);
    expect(call).toMatchObject({ code: 0, output: expect.stringContaining('Noted: Buy milk') });
  }, 240_000);

  it('the client runs the examples of its README, and types what a program gets from it', async () => {
    const path = await installed('clients', 'client', 'app-document');
    const examples = [...readFileSync('libs/client/README.md', 'utf8').matchAll(/^```js\n(.*?)^```$/gms)].map(
      ([, code = '']) => code,
    );
    expect(examples).toHaveLength(3);
    const { email } = await platform.signUp('grace@example.com');
    const outputs: string[] = [];
    for (const [at, code] of examples.entries()) {
      const file = join(path, `example-${at}.mjs`);
      writeFileSync(file, code);
      const example = CommandProcess.start(
        [],
        { PLATFORM_URL: platform.url, PLATFORM_EMAIL: email, PLATFORM_PASSWORD: PASSWORD },
        file,
      );
      await example.exited;
      expect(example.stderr).toBe('');
      outputs.push(example.stdout);
    }
    expect(outputs).toEqual([expect.stringContaining('mail'), `${email}\n`, 'api_key.created nightly import\n']);

    const file = join(path, 'consumer.mts');
    writeFileSync(
      file,
      `import { parseAppDocument, toolManifest } from '@platform/app-document';
       import { call, createPlatformClient } from '@platform/client';
       const platform = createPlatformClient({ baseUrl: 'http://localhost:4000' });
       export const email: string = (await call(platform.GET('/v1/auth/me'))).email;
       // @ts-expect-error there is no such path
       await call(platform.GET('/v1/nothing'));
       // @ts-expect-error the password is missing
       await call(platform.POST('/v1/auth/login', { body: { email } }));
       const result = parseAppDocument({});
       export const version: string = result.ok ? toolManifest(result.document).version : '';
       // @ts-expect-error nobody has asked whether it is ok
       result.document;`,
    );
    const compilerOptions = {
      strict: true,
      noEmit: true,
      target: 'es2022',
      module: 'nodenext',
      lib: ['es2023', 'dom'],
      types: [],
    };
    writeFileSync(join(path, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }));
    expect(await run(resolve('node_modules/.bin/tsc'), ['-p', path], path)).toEqual({ code: 0, output: '' });

    const [, code = ''] = /^```js\n(.*?)^```$/ms.exec(readFileSync('libs/app-document/README.md', 'utf8')) ?? [];
    const [read, document] = [join(path, 'read.mjs'), join(path, 'document.json')];
    writeFileSync(read, code);
    for (const [value, expected] of [
      [{ app_id: 'a', version: '1.0.0', steps: [] }, /^[0-9a-f]{64} 0 0\n$/],
      [{ app_id: 'a', steps: [] }, /^: "version" is missing. \(required\)\n$/],
    ] as const) {
      writeFileSync(document, JSON.stringify(value));
      const reading = CommandProcess.start([], { APP_DOCUMENT: document }, read);
      await reading.exited;
      expect(reading.stdout).toMatch(expected);
    }
  }, 120_000);

  it('ask a public registry for nothing of ours, whose names are of somebody else there', () => {
    const ours = [...registry.asked].filter((name) => /platform/i.test(name));
    expect(ours).toEqual([]);
    expect([...registry.asked]).toEqual(expect.arrayContaining(['esbuild', 'typebox', 'typescript']));
  });
});
