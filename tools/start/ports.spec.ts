import { createServer, type Server } from 'node:net';
import { freePort } from '@platform/persistence';
import { requireFreePorts } from './ports.js';
import { readSettings } from './settings.js';

let environment: NodeJS.ProcessEnv;
let taken: Server | undefined;

beforeEach(async () => {
  const ports = await Promise.all(Array.from({ length: 6 }, freePort));
  const names = ['PANEL_PORT', 'AUTH_GATEWAY_PORT', 'REGISTRY_PORT', 'EXT_WEBHOOK_HOST_PORT', 'MAILBOX_WEB_PORT', 'MAILBOX_SMTP_PORT'];
  environment = Object.fromEntries(names.map((name, index) => [name, String(ports[index])]));
});

afterEach(() => taken?.close());

const listen = (port: number, host: string) =>
  new Promise<void>((done) => {
    taken = createServer().listen(port, host, done);
  });

it('accepts free ports', async () => {
  await expect(requireFreePorts(readSettings(environment))).resolves.toBeUndefined();
});

it.each(['127.0.0.1', '0.0.0.0'])('names a port that is taken on %s, who wants it and what changes it', async (host) => {
  const port = Number(environment['REGISTRY_PORT']);
  await listen(port, host);
  const message = `Port ${port} for registry is taken. Stop what listens there, or set REGISTRY_PORT to another port.`;
  await expect(requireFreePorts(readSettings(environment))).rejects.toThrow(message);
});

it('names a metrics port that is taken', async () => {
  const port = Number(environment['REGISTRY_PORT']) + 100;
  await listen(port, '127.0.0.1');
  await expect(requireFreePorts(readSettings(environment))).rejects.toThrow(`Port ${port} for the metrics of registry is taken.`);
});

it('names two that want the same port', async () => {
  const settings = readSettings({ ...environment, POSTGRES_PORT: environment['REGISTRY_PORT'] });
  await expect(requireFreePorts(settings)).rejects.toThrow('is wanted by registry and by PostgreSQL. Set POSTGRES_PORT to another one.');
});

it('leaves alone the ports of what is replaced', () => {
  const { postgresPort, mailbox } = readSettings({ DATABASE_URL: 'postgres://a:b@c/d', SMTP_URL: 'smtp://e' });
  expect([postgresPort, mailbox]).toEqual([undefined, undefined]);
});

it.each(['abc', '0', '70000', '65500'])('refuses the port %s', (value) => {
  expect(() => readSettings({ REGISTRY_PORT: value })).toThrow(`REGISTRY_PORT is "${value}", which is no port.`);
});
