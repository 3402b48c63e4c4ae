import { createServer, type Server } from 'node:net';
import { freePorts } from '../smoke/service-process.js';
import { requireFreePorts } from './ports.js';
import { readSettings, urlsOf } from './settings.js';

let environment: NodeJS.ProcessEnv;
/** A free port that is not in `environment`. */
let spare: number;
let taken: Server[] = [];

/** Free ports. None is the metrics port of another. */
async function portsApart(count: number): Promise<number[]> {
  const ports = await freePorts(count);
  return ports.some((port) => ports.includes(port + 100)) ? portsApart(count) : ports;
}

beforeEach(async () => {
  const [first = 0, ...ports] = await portsApart(9);
  spare = first;
  const names = [
    'PANEL_PORT',
    'AUTH_GATEWAY_PORT',
    'REGISTRY_PORT',
    'EXT_WEBHOOK_HOST_PORT',
    'MAILBOX_WEB_PORT',
    'MAILBOX_SMTP_PORT',
    'PAYMENTS_PORT',
    'POSTGRES_PORT',
  ];
  environment = Object.fromEntries(names.map((name, index) => [name, String(ports[index])]));
});

afterEach(() => {
  for (const server of taken) server.close();
  taken = [];
});

const listen = (port: number, host: string) =>
  new Promise<void>((done) => {
    taken.push(createServer().listen(port, host, done));
  });

it('accepts free ports', async () => {
  await expect(requireFreePorts(readSettings(environment))).resolves.toBeUndefined();
});

it.each(['127.0.0.1', '0.0.0.0'])(
  'names a port that is taken on %s, who wants it and what changes it',
  async (host) => {
    const port = Number(environment['REGISTRY_PORT']);
    await listen(port, host);
    const message = `Port ${port} for registry is taken. Stop what listens there, or set REGISTRY_PORT to another port, or PORT_BASE to move all.`;
    await expect(requireFreePorts(readSettings(environment))).rejects.toThrow(message);
  },
);

it('names a metrics port that is taken', async () => {
  const port = Number(environment['REGISTRY_PORT']) + 100;
  await listen(port, '127.0.0.1');
  await expect(requireFreePorts(readSettings(environment))).rejects.toThrow(
    `Port ${port} for the metrics of registry is taken.`,
  );
});

it('names all that are taken together, PostgreSQL too, and what moves them', async () => {
  const [panel, registry] = [Number(environment['PANEL_PORT']), Number(environment['REGISTRY_PORT'])];
  const postgres = spare;
  const settings = readSettings({ ...environment, POSTGRES_PORT: String(postgres) });
  for (const port of [panel, registry, postgres]) await listen(port, '127.0.0.1');
  const listed = `Ports ${panel} for panel, ${registry} for registry and ${postgres} for PostgreSQL are taken.`;
  const remedy =
    'Stop what listens there, or set PORT_BASE to move all, or PANEL_PORT, REGISTRY_PORT and POSTGRES_PORT to other ports.';
  await expect(requireFreePorts(settings)).rejects.toThrow(`${listed} ${remedy}`);
  const own = requireFreePorts(settings, postgres);
  await expect(own).rejects.toThrow(`Ports ${panel} for panel and ${registry} for registry are taken.`);
});

it('names the test payments when their port is taken', async () => {
  const port = Number(environment['PAYMENTS_PORT']);
  await listen(port, '127.0.0.1');
  const message = `Port ${port} for the test payments is taken. Stop what listens there, or set PAYMENTS_PORT to another port, or PORT_BASE`;
  await expect(requireFreePorts(readSettings(environment))).rejects.toThrow(message);
  await expect(
    requireFreePorts(readSettings({ ...environment, STRIPE_SECRET_KEY: 'sk_test_own' })),
  ).resolves.toBeUndefined();
});

it('does not start in production, and says where to read on', () => {
  expect(() => readSettings({ ...environment, NODE_ENV: 'production' })).toThrow(
    /^npm start is for development: docs\/deployment\.md says how to run a platform in production\.$/,
  );
});

it('names two that want the same port', async () => {
  const settings = readSettings({ ...environment, POSTGRES_PORT: environment['REGISTRY_PORT'] });
  await expect(requireFreePorts(settings)).rejects.toThrow(
    'is set for registry and for PostgreSQL. Set POSTGRES_PORT to another port.',
  );
});

it('leaves alone the ports of what is replaced', () => {
  const replaced = { DATABASE_URL: 'postgres://a:b@c/d', SMTP_URL: 'smtp://e', STRIPE_SECRET_KEY: 'sk_test_own' };
  const { postgresPort, mailbox, paymentsPort } = readSettings(replaced);
  expect([postgresPort, mailbox, paymentsPort]).toEqual([undefined, undefined, undefined]);
  expect(urlsOf(readSettings(replaced))).not.toHaveProperty('payments');
});

it('counts every port from PORT_BASE, but for those that are set themselves', () => {
  const { services, mailbox, paymentsPort, postgresPort } = readSettings({ PORT_BASE: '5000', REGISTRY_PORT: '6001' });
  expect(services.map(({ name, port, metricsPort }) => [name, port, metricsPort])).toEqual([
    ['panel', 5003, 5103],
    ['auth-gateway', 5000, 5100],
    ['registry', 6001, 6101],
    ['ext-webhook-host', 5002, 5102],
  ]);
  expect([mailbox, paymentsPort, postgresPort]).toEqual([{ smtpPort: 5025, webPort: 5080 }, 5042, 5054]);
});

it('says where each part is reached', () => {
  expect(urlsOf(readSettings({ PORT_BASE: '5000' }))).toEqual({
    panel: 'http://localhost:5003',
    'auth-gateway': 'http://localhost:5000',
    registry: 'http://localhost:5001',
    'ext-webhook-host': 'http://localhost:5002',
    mailbox: 'http://localhost:5080',
    smtp: 'smtp://127.0.0.1:5025',
    payments: 'http://localhost:5042',
    postgresql: 'postgres://127.0.0.1:5054',
  });
  const elsewhere = urlsOf(
    readSettings({ HOST: '10.0.0.5', DATABASE_URL: 'postgres://a:b@c/d', SMTP_URL: 'smtp://e' }),
  );
  expect([elsewhere['panel'], elsewhere['mailbox'], elsewhere['postgresql']]).toEqual([
    'http://10.0.0.5:4003',
    undefined,
    undefined,
  ]);
});

it.each(['abc', '0', '65433'])('refuses %s as PORT_BASE', (value) => {
  expect(() => readSettings({ PORT_BASE: value })).toThrow(`PORT_BASE is "${value}", which is not a port.`);
});

it.each(['abc', '0', '70000', '65500'])('refuses the port %s', (value) => {
  expect(() => readSettings({ REGISTRY_PORT: value })).toThrow(`REGISTRY_PORT is "${value}", which is not a port.`);
});

it.each([
  [{ PORT_BASE: '6000' }, 'PORT_BASE is 6000, which puts auth-gateway on port 6000'],
  [{ PORT_BASE: '5960' }, undefined],
  [{ PORT_BASE: '5900' }, 'PORT_BASE is 5900, which puts the metrics of auth-gateway on port 6000'],
  [{ PORT_BASE: '4980' }, "PORT_BASE is 4980, which puts the mailbox's page on port 5060"],
  [{ PORT_BASE: '4980', MAILBOX_WEB_PORT: '8080' }, undefined],
  [{ PAYMENTS_PORT: '6666' }, 'PAYMENTS_PORT is 6666, which puts the test payments on port 6666'],
  [{ PAYMENTS_PORT: '6666', STRIPE_SECRET_KEY: 'sk_test_own' }, undefined],
  [{ REGISTRY_PORT: '6667' }, 'REGISTRY_PORT is 6667, which puts registry on port 6667'],
  [{ POSTGRES_PORT: '6000', MAILBOX_SMTP_PORT: '25' }, undefined], // not an HTTP port
])('%j is refused where fetch refuses a port of it: %s', (env, message) => {
  if (message) expect(() => readSettings(env)).toThrow(`${message}, which browsers and fetch block.`);
  else expect(() => readSettings(env)).not.toThrow();
});
