import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { configurationOf, isService } from './configurations.js';
import { readTargets } from './targets.js';

interface Container {
  image?: string;
  build?: { target: string; dockerfile: string };
  environment?: Record<string, string | number>;
  command?: string[];
  ports?: string[];
  read_only?: boolean;
  security_opt?: string[];
  depends_on?: Record<string, unknown>;
}

const readServices = (text: string) =>
  (parse(text, { merge: true }) as { services: Record<string, Container> }).services;
const isOurs = ({ build }: Container) => build !== undefined;
const targetOf = ({ build }: Container) => readTargets().find(({ name }) => name === build?.target);
const envOf = ({ environment = {} }: Container) =>
  Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, String(value)]));

const VARIABLE = /\$\{([A-Z_]+)(?:(:[?-])([^}]*))?\}/g;

/**
 * Fills in variables like Docker.
 *
 * @throws Error if a required variable is not given
 */
const filledIn = (text: string, given: Record<string, string>): string =>
  text.replace(VARIABLE, (_all, name: string, operator?: string, rest = '') => {
    const value = given[name];
    if (value) return value;
    if (operator === ':?') throw new Error(`required variable ${name} is missing a value: ${rest}`);
    return operator === ':-' ? String(rest) : '';
  });

const TRIAL = 'docker/compose.yaml';
const PRODUCTION = 'docker/compose.production.yaml';
const trial = readServices(readFileSync(TRIAL, 'utf8'));
const productionText = readFileSync(PRODUCTION, 'utf8');
/** The file from docs/deployment.md, with values like those that its commands create. */
const documented = environmentOfDocumentation();
const production = readServices(filledIn(productionText, documented));

function environmentOfDocumentation(): Record<string, string> {
  const text = readFileSync('docs/deployment.md', 'utf8');
  const [, lines = ''] = /cat > \/etc\/platform\/platform\.env <<EOF\n([^]*?)\n *EOF/.exec(text) ?? [];
  return Object.fromEntries(
    lines.split('\n').map((line) => {
      const [name = '', ...value] = line.trim().split('=');
      return [
        name,
        value
          .join('=')
          .replace('$(openssl rand -base64 32)', Buffer.alloc(32, 7).toString('base64'))
          .replace('$(openssl rand -hex 24)', `${name.toLowerCase()}-`.padEnd(48, '0')),
      ];
    }),
  );
}

describe.each([
  [TRIAL, trial],
  [PRODUCTION, production],
])('%s', (file, services) => {
  const ours = Object.entries(services).filter(([, container]) => isOurs(container));

  it('runs every image, but for those of development in production', () => {
    const all = readTargets().map(({ name }) => name);
    const wanted = file === PRODUCTION ? all.filter((name) => name !== 'development') : all;
    expect(new Set(ours.map(([, container]) => targetOf(container)?.name))).toEqual(new Set(wanted));
  });

  it.each(ours.filter(([, container]) => isService(targetOf(container)?.contents)))(
    '%s takes every variable that it is given, and misses none',
    (_name, container) => {
      const env = envOf(container);
      const config = configurationOf(targetOf(container)?.contents ?? '', env);
      expect(Object.keys(env).filter((name) => !(name in config))).toEqual([]);
    },
  );

  it.each(['auth-gateway', 'ext-webhook-host'])(
    '%s is told from where the people come for whom it is called',
    (name) => {
      expect(envOf(services[name] as Container)['TRUSTED_PROXIES']).toBe('uniquelocal');
    },
  );

  it('nothing of it is open to other machines, and nothing of ours writes to its image', () => {
    const ports = Object.values(services).flatMap(({ ports = [] }) => ports);
    expect(ports.length).toBeGreaterThan(0);
    expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
    expect(ours.filter(([, container]) => !container.read_only).map(([name]) => name)).toEqual([]);
  });

  it('services know each other by their tokens', () => {
    const by = (name: string) => envOf(services[name] as Container);
    const [gateway, registry, host, panel] = [by('auth-gateway'), by('registry'), by('ext-webhook-host'), by('panel')];
    expect(registry['SERVICE_TOKENS']).toBe(`gateway:${gateway['REGISTRY_SERVICE_TOKEN']}`);
    expect(host['SERVICE_TOKENS']).toBe(`gateway:${gateway['EXT_WEBHOOK_HOST_SERVICE_TOKEN']}`);
    expect(gateway['SERVICE_TOKENS']?.split(',').sort()).toEqual([
      `ext-webhook-host:${host['AUTH_GATEWAY_SERVICE_TOKEN']}`,
      `panel:${panel['GATEWAY_SERVICE_TOKEN']}`,
      `registry:${registry['AUTH_GATEWAY_SERVICE_TOKEN']}`,
    ]);
  });
});

it('addresses of the trial name what is there', () => {
  const hosts = Object.values(trial).flatMap((container) =>
    Object.values(envOf(container)).flatMap((value) => (URL.canParse(value) ? [new URL(value).hostname] : [])),
  );
  expect(hosts.length).toBeGreaterThan(10);
  expect([...new Set(hosts)].filter((host) => host && host !== 'localhost' && !(host in trial))).toEqual([]);
});

describe('production', () => {
  const raw = readServices(productionText);
  const required = [...productionText.matchAll(VARIABLE)]
    .filter(([, , operator]) => operator === ':?')
    .map(([, name = '']) => name);

  it('brings no secret and no address of its own: each is required', () => {
    const outside = /(_KEYS?|_TOKENS?|_SECRETS|^DATABASE_URL|^REDIS_URL|^SMTP_URL|^PUBLIC_URL|^PANEL_URL|^MAIL_FROM)$/;
    const values = Object.values(raw).flatMap((container) =>
      Object.entries(envOf(container)).filter(([name]) => outside.test(name)),
    );
    expect(values.length).toBeGreaterThan(30);
    const made = values.filter(([, value]) =>
      value.replace(VARIABLE, (all, _name, operator) => (operator === ':?' ? '' : all)).replace(/[a-z-]+:|,/g, ''),
    );
    expect(made).toEqual([]);
  });

  it('takes each variable that docs/deployment.md names, and no other', () => {
    const names = new Set([...productionText.matchAll(VARIABLE)].map(([, name = '']) => name));
    expect(Object.keys(documented).filter((name) => !names.has(name))).toEqual([]);
    expect(required.length).toBeGreaterThan(12);
  });

  it('takes none of the secrets of the trial', () => {
    const secrets = Object.values(trial)
      .flatMap((container) => Object.entries(envOf(container)))
      .filter(([name]) => /(_KEYS?|_TOKENS?|_SECRETS)$/.test(name))
      .map(([, value]) => value);
    expect(secrets.length).toBeGreaterThan(10);
    expect(secrets.filter((secret) => productionText.includes(secret))).toEqual([]);
  });

  it('has an answer to clone3 by which Node.js goes on: Docker before 23 knows no default errno', () => {
    const { syscalls } = JSON.parse(readFileSync('k8s/nodes/handlers.json', 'utf8')) as { syscalls: object[] };
    expect(syscalls).toContainEqual({ names: ['clone3'], action: 'SCMP_ACT_ERRNO', errnoRet: 38 });
  });

  it('starts no image that somebody else could have published under its name', () => {
    const ours = Object.values(raw).map((container) => (container as { pull_policy?: string }).pull_policy);
    expect(new Set(ours)).toEqual(new Set(['${PULL_POLICY:-never}']));
  });

  it('gives the host the profile that lets it make namespaces', () => {
    for (const name of ['ext-webhook-host', 'ext-webhook-host-worker']) {
      const seccomp = raw[name]?.security_opt
        ?.find((option) => option.startsWith('seccomp:'))
        ?.slice('seccomp:'.length);
      expect(JSON.parse(readFileSync(join('docker', seccomp ?? ''), 'utf8'))).toMatchObject({
        defaultAction: 'SCMP_ACT_ERRNO',
      });
    }
  });
});
