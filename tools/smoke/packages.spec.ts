import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { CommandProcess } from './command-process.js';
import { GatewayWithPeople, PASSWORD } from './people-and-computers.js';

const PACKAGES = ['libs/client', 'apps/cli'];
const bin = (name: string) => resolve('node_modules', '.bin', name);
const run = (command: string, parameters: string[], cwd = '.') =>
  execFileSync(command, parameters, { cwd, encoding: 'utf8', stdio: 'pipe' });

/** What npm would publish, installed beside nothing but the dependencies that it declares. */
describe('the packages', () => {
  const folder = mkdtempSync(join(tmpdir(), 'platform-packages-'));
  let platform: GatewayWithPeople;

  beforeAll(async () => {
    for (const path of PACKAGES) {
      run(bin('tsc'), ['-p', join(path, 'tsconfig.package.json')]);
      install(path, folder);
    }
    platform = await GatewayWithPeople.start();
  }, 120_000);

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

  it('@platform/client types what a program gets from it', () => {
    const file = join(folder, 'consumer.mts');
    writeFileSync(
      file,
      `import { call, createPlatformClient } from '@platform/client';
       const platform = createPlatformClient({ baseUrl: 'http://localhost:4000' });
       export const email: string = (await call(platform.GET('/v1/auth/me'))).email;
       // @ts-expect-error there is no such path
       await call(platform.GET('/v1/nothing'));
       // @ts-expect-error the password is missing
       await call(platform.POST('/v1/auth/login', { body: { email } }));`,
    );
    const compilerOptions = { strict: true, noEmit: true, target: 'es2022', module: 'nodenext', lib: ['es2023', 'dom'], types: [] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }));
    const { status, stdout } = spawnSync(bin('tsc'), ['-p', folder], { encoding: 'utf8' });
    expect([status, stdout]).toEqual([0, '']);
  });

  it('@platform/cli installs the command', async () => {
    const { bin: commands } = JSON.parse(readFileSync('apps/cli/package.json', 'utf8')) as { bin: { platform: string } };
    const file = join(folder, 'node_modules', '@platform', 'cli', commands.platform);
    expect(readFileSync(file, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
    const whoami = CommandProcess.start(['whoami'], { HOME: folder, PLATFORM_URL: platform.url }, file);
    await expect(whoami.exited).resolves.toBe(3);
    expect(whoami.stderr).toContain('You are not signed in');
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
