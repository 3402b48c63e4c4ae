import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { configurationOf, isService } from './configurations.js';
import { readTargets } from './targets.js';

interface Container {
  build?: { target: string; dockerfile: string };
  environment?: Record<string, string | number>;
  command?: string[];
  ports?: string[];
  read_only?: boolean;
  depends_on?: Record<string, unknown>;
}

const { services } = parse(readFileSync('compose.yaml', 'utf8'), { merge: true }) as { services: Record<string, Container> };
const ours = Object.entries(services).filter(([, { build }]) => build);
const targetOf = ({ build }: Container) => readTargets().find(({ name }) => name === build?.target);
const envOf = ({ environment = {} }: Container) =>
  Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, String(value)]));

it('every image runs', () => {
  expect(new Set(ours.map(([, container]) => targetOf(container)?.name))).toEqual(new Set(readTargets().map(({ name }) => name)));
});

it.each(ours.filter(([, container]) => isService(targetOf(container)?.contents)))(
  '%s takes every variable that it is given, and misses none',
  (_name, container) => {
    const env = envOf(container);
    const config = configurationOf(targetOf(container)?.contents ?? '', env);
    expect(Object.keys(env).filter((name) => !(name in config))).toEqual([]);
  },
);

it.each(['auth-gateway', 'ext-webhook-host'])('%s is told from where the people come for whom it is called', (name) => {
  expect(envOf(services[name] as Container)['TRUSTED_PROXIES']).toBe('uniquelocal');
});

it('nothing of it is open to other machines, and nothing of ours writes to its image', () => {
  const ports = Object.values(services).flatMap(({ ports = [] }) => ports);
  expect(ports.length).toBeGreaterThan(0);
  expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
  expect(ours.filter(([, container]) => !container.read_only).map(([name]) => name)).toEqual([]);
});

it('addresses name what is there', () => {
  const hosts = Object.values(services).flatMap((container) =>
    Object.values(envOf(container)).flatMap((value) => (URL.canParse(value) ? [new URL(value).hostname] : [])),
  );
  expect(hosts.length).toBeGreaterThan(10);
  expect([...new Set(hosts)].filter((host) => host && host !== 'localhost' && !(host in services))).toEqual([]);
});
