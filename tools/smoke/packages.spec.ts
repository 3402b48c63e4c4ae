import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { CommandProcess } from './command-process.js';
import { GatewayWithPeople, PASSWORD } from './people-and-computers.js';

const PACKAGES = ['libs/app-document', 'libs/client', 'libs/extension-sdk', 'apps/cli'];
const bin = (name: string) => resolve('node_modules', '.bin', name);
const run = (command: string, parameters: string[], cwd = '.') =>
  execFileSync(command, parameters, { cwd, encoding: 'utf8', stdio: 'pipe' });

/** What npm would publish, installed beside nothing but the dependencies that it declares. */
describe('the packages', () => {
  const folder = mkdtempSync(join(tmpdir(), 'platform-packages-'));
  let platform: GatewayWithPeople;

  beforeAll(async () => {
    for (const path of PACKAGES) {
      for (const compiler of ['tsc', 'tsc-alias']) run(bin(compiler), ['-p', join(path, 'tsconfig.package.json')]);
      install(path, folder);
    }
    platform = await GatewayWithPeople.start();
  }, 240_000);

  afterAll(async () => {
    await platform.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('@platform/client runs the examples of its README', async () => {
    const examples = [...readFileSync('libs/client/README.md', 'utf8').matchAll(/^```js\n(.*?)^```$/gms)].map(([, code = '']) => code);
    expect(examples).toHaveLength(2);
    const { email } = await platform.signUp('grace@example.com');
    const outputs: string[] = [];
    for (const [at, code] of examples.entries()) {
      const file = join(folder, `example-${at}.mjs`);
      writeFileSync(file, code);
      const example = CommandProcess.start([], { PLATFORM_URL: platform.url, PLATFORM_EMAIL: email, PLATFORM_PASSWORD: PASSWORD }, file);
      await example.exited;
      expect(example.stderr).toBe('');
      outputs.push(example.stdout);
    }
    expect(outputs).toEqual([expect.stringContaining('mail'), `${email}\n`]);
  });

  it('type what a program gets from them', () => {
    const file = join(folder, 'consumer.mts');
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
    const compilerOptions = { strict: true, noEmit: true, target: 'es2022', module: 'nodenext', lib: ['es2023', 'dom'], types: [] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }));
    const { status, stdout } = spawnSync(bin('tsc'), ['-p', folder], { encoding: 'utf8' });
    expect([status, stdout]).toEqual([0, '']);
  });

  it('@platform/app-document runs the example of its README', () => {
    const [, code = ''] = /^```js\n(.*?)^```$/ms.exec(readFileSync('libs/app-document/README.md', 'utf8')) ?? [];
    const [file, document] = [join(folder, 'read.mjs'), join(folder, 'document.json')];
    writeFileSync(file, code);
    const read = (value: object) => {
      writeFileSync(document, JSON.stringify(value));
      return execFileSync(process.execPath, [file], { encoding: 'utf8', env: { APP_DOCUMENT: document } });
    };
    expect(read({ app_id: 'a', version: '1.0.0', steps: [] })).toMatch(/^[0-9a-f]{64} 0 0\n$/);
    expect(read({ app_id: 'a', steps: [] })).toBe(': "version" is missing. (required)\n');
  });

  it('@platform/extension-sdk has the extension that `platform init --typescript` writes pass its types and its test', async () => {
    const cli = join(folder, 'node_modules', '@platform', 'cli', 'dist', 'main.js');
    const project = join(folder, 'my-notes');
    const init = CommandProcess.start(['init', '--typescript', project], { HOME: folder }, cli);
    await expect(init.exited).resolves.toBe(0);
    symlinkSync(resolve('node_modules', '@types'), join(folder, 'node_modules', '@types'));
    run(bin('tsc'), ['-p', project]);
    expect(run(process.execPath, ['--test', join(project, 'build/test/extension.test.js')])).toMatch(/^# pass 2$/m);
    const validate = CommandProcess.start(['validate', join(project, 'src/extension.ts')], { HOME: folder }, cli);
    await validate.exited;
    expect([validate.stderr, validate.stdout]).toEqual(['', expect.stringContaining('is good: my-notes 0.1.0.')]);
  }, 120_000);

  it('@platform/cli installs the command', async () => {
    const { bin: commands } = JSON.parse(readFileSync('apps/cli/package.json', 'utf8')) as { bin: { platform: string } };
    const file = join(folder, 'node_modules', '@platform', 'cli', commands.platform);
    expect(readFileSync(file, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
    const whoami = CommandProcess.start(['whoami'], { HOME: folder, PLATFORM_URL: platform.url }, file);
    await expect(whoami.exited).resolves.toBe(3);
    expect(whoami.stderr).toContain('You are not signed in');
    const validate = CommandProcess.start(['validate', 'none.json'], { HOME: folder }, file);
    await expect(validate.exited).resolves.toBe(1);
    expect(validate.stderr).toContain('There is no none.json.');
    const init = CommandProcess.start(['init', join(folder, 'notes')], { HOME: folder }, file);
    await expect(init.exited).resolves.toBe(0);
    const again = CommandProcess.start(['validate', join(folder, 'notes', 'app.json')], { HOME: folder }, file);
    await again.exited;
    expect(again.stdout).toContain('is good: notes 0.1.0.');
  });
});

function install(path: string, folder: string): void {
  const { name, dependencies } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as {
    name: string;
    dependencies: Record<string, string>;
  };
  const [packed] = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', folder], path)) as [{ filename: string }];
  const target = join(folder, 'node_modules', name);
  mkdirSync(target, { recursive: true });
  run('tar', ['-xzf', join(folder, packed.filename), '-C', target, '--strip-components', '1']);
  for (const dependency of Object.keys(dependencies).filter((wanted) => !wanted.startsWith('@platform/'))) {
    const link = join(folder, 'node_modules', dependency);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(resolve('node_modules', dependency), link);
  }
}
