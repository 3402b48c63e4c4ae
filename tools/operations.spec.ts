import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { parseEnv } from 'node:util';
import { loadConfig as gatewayConfig } from '../apps/auth-gateway/src/config.js';
import { loadConfig as hostConfig } from '../apps/ext-webhook-host/src/config.js';
import { loadConfig as panelConfig } from '../apps/panel/src/config.js';
import { loadConfig as registryConfig } from '../apps/registry/src/config.js';

const FOLDER = 'docs/operations';
const UNITS = 'deploy/systemd';
const pages = readdirSync(FOLDER).map((name) => join(FOLDER, name));
const documents = ['.', 'docs'].flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name)),
);

/** Fake openssl, because not every machine has it. */
const OPENSSL = `#!/bin/sh
[ "$1" = rand ] || exit 64
exec "${process.execPath}" -p "require('crypto').randomBytes($3).toString('$2'.slice(1))"
`;

/** Anchor that GitHub creates for a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

const anchorsOf = (page: string): string[] =>
  [...readFileSync(page, 'utf8').matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

describe('the guide for operators', () => {
  const folder = mkdtempSync(join(tmpdir(), 'platform-operations-'));
  const env = join(folder, 'etc');

  beforeAll(() => {
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'openssl'), OPENSSL);
    chmodSync(join(bin, 'openssl'), 0o755);
    const [, section = ''] =
      /^## The environment$(.*?)^## /ms.exec(readFileSync(join(FOLDER, 'README.md'), 'utf8')) ?? [];
    const [, script = ''] = /^```sh\n(.*?)^```$/ms.exec(section) ?? [];
    execFileSync('bash', ['-eu', '-c', script.replaceAll('/etc/platform', env)], {
      env: { PATH: `${bin}:${process.env['PATH']}` },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([
    ['gateway', gatewayConfig],
    ['registry', registryConfig],
    ['host', hostConfig],
    ['panel', panelConfig],
  ] as const)('writes an environment with which the %s starts in production', (name, load) => {
    const texts = ['common', name].map((each) => readFileSync(join(env, `${each}.env`), 'utf8'));
    const config = load({ ...parseEnv(texts.join('\n')), CODE_SANDBOX: 'permission' }); // not every machine has bubblewrap
    expect(config).toMatchObject({ NODE_ENV: 'production', HOST: '127.0.0.1' });
  });

  it('gives each service keys of its own, and has the host believe the panel from where webhooks come', () => {
    const envs = ['gateway', 'registry', 'host', 'panel', 'common'].map((name) =>
      parseEnv(readFileSync(join(env, `${name}.env`), 'utf8')),
    );
    const keys = envs.flatMap(({ SECRET_KEYS }) => SECRET_KEYS ?? []);
    expect([keys.length, new Set(keys).size]).toEqual([3, 3]);
    expect(envs[2]?.['TRUSTED_PROXIES']).toBe('loopback');
  });

  it('writes files that nobody else reads', () => {
    const modes = readdirSync(env).map((name) => statSync(join(env, name)).mode & 0o777);
    expect(modes).toEqual([0o600, 0o600, 0o600, 0o600, 0o600]);
  });

  it.each([...documents, ...pages])('has no link in %s that leads nowhere', (page) => {
    const text = readFileSync(page, 'utf8').replaceAll(/^```.*?^```$/gms, '');
    const links = [...text.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g)].map(
      ([, link, picture]) => link ?? picture ?? '',
    );
    const broken = links.filter((link) => {
      if (/^[a-z]+:/.test(link)) return false;
      const [path = '', anchor] = link.split('#');
      const target = path ? normalize(join(dirname(page), path)) : page;
      return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
    });
    expect(broken).toEqual([]);
  });

  it('has a recipe for each alarm of its list, and names no metric that there is not', () => {
    const text = readFileSync(join(FOLDER, 'alarms.md'), 'utf8');
    const named = [...text.matchAll(/\]\(#([a-z0-9_]+)\)/g)].map(([, anchor = '']) => anchor);
    const recipes = [...text.matchAll(/^### (.+)$/gm)].map(([, heading = '']) => heading);
    expect(recipes.filter((recipe) => !named.includes(recipe))).toEqual([]);
    const sources = [...sourcesOf('apps'), ...sourcesOf('libs')].map((file) => readFileSync(file, 'utf8')).join('\n');
    // Metrics of Prometheus, of prom-client, and of `ServiceCalls`, which adds a prefix.
    const others = ['up', 'nodejs_eventloop_lag_p99_seconds', 'circuit_open'];
    const unknown = recipes.filter((recipe) => !others.includes(recipe) && !sources.includes(`name: '${recipe}'`));
    expect(unknown).toEqual([]);
  });
});

describe('the units for systemd', () => {
  const read = (path: string) => readFileSync(join(UNITS, path), 'utf8');
  const services = readdirSync(UNITS).filter(
    (name) => name.endsWith('.service') && name !== 'platform-migrate.service',
  );

  it('are one for each process, of which the target wants all', () => {
    const wanted = [...read('platform.target').matchAll(/platform-[a-z-]+\.service/g)].map(([unit]) => unit);
    expect(wanted.sort()).toEqual(services.sort());
    const programs = services.map(
      (unit) => /^ExecStart=\/usr\/bin\/node dist\/(\S+)\.js$/m.exec(read(unit))?.[1] ?? unit,
    );
    expect(programs.filter((program) => !existsSync(`${program}.ts`))).toEqual([]);
    expect(new Set(programs).size).toBe(6);
  });

  it('run each service as a user of its own, and the migrations as that of the gateway', () => {
    const users = [...services, 'platform-migrate.service'].map((unit) => /^User=(\S+)$/m.exec(read(unit))?.[1]);
    expect(users).toEqual([...services.map((unit) => unit.replace(/(-worker)?\.service$/, '')), 'platform-gateway']);
  });

  it('leave a process the time that it takes to stop', () => {
    const common = read('platform-.service.d/10-common.conf');
    const [, drain] = /^Environment=SHUTDOWN_TIMEOUT_SECONDS=(\d+)$/m.exec(common) ?? [];
    const [, grace] = /^TimeoutStopSec=(\d+)$/m.exec(common) ?? [];
    expect(Number(drain)).toBeGreaterThan(30); // a call of an extension
    expect(Number(grace)).toBeGreaterThan(Number(drain));
  });
});

function sourcesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.includes('node_modules'))
    .map((file) => join(folder, file));
}
