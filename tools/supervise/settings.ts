import { BLOCKED_PORTS } from './libraries.js';
import { StartError } from './start-error.js';

export interface ServiceSettings {
  name: 'panel' | 'auth-gateway' | 'registry' | 'ext-webhook-host';
  port: number;
  metricsPort: number;
  /** Environment variable that changes the port. */
  variable: string;
}

export interface Settings {
  host: string;
  services: ServiceSettings[];
  /** Absent if DATABASE_URL names another PostgreSQL. */
  postgresPort?: number;
  /** Absent if SMTP_URL names another mail server. */
  mailbox?: { smtpPort: number; webPort: number };
  /** Absent if STRIPE_SECRET_KEY has a key of Stripe. */
  paymentsPort?: number;
}

const METRICS_OFFSET = 100;
const PORT_BASE = 4000;
/** Ports relative to PORT_BASE. The metrics port of the panel is the highest. */
const OFFSETS = {
  gateway: 0,
  registry: 1,
  host: 2,
  panel: 3,
  mailboxSmtp: 25,
  payments: 42,
  postgres: 54,
  mailboxWeb: 80,
};

/**
 * @throws StartError with the variable that cannot be used, and in production, because `npm start`
 *   is only for development.
 */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  if (env['NODE_ENV'] === 'production')
    throw new StartError('npm start is for development: docs/deployment.md says how to run a platform in production.');
  const base = readPort(env, 'PORT_BASE', PORT_BASE, METRICS_OFFSET + OFFSETS.panel);
  const service = (name: ServiceSettings['name'], variable: string, conventional: number): ServiceSettings => {
    const port = readPort(env, variable, conventional, METRICS_OFFSET);
    return { name, port, metricsPort: port + METRICS_OFFSET, variable };
  };
  const settings: Settings = {
    host: env['HOST'] || '127.0.0.1',
    services: [
      service('panel', 'PANEL_PORT', base + OFFSETS.panel),
      service('auth-gateway', 'AUTH_GATEWAY_PORT', base + OFFSETS.gateway),
      service('registry', 'REGISTRY_PORT', base + OFFSETS.registry),
      service('ext-webhook-host', 'EXT_WEBHOOK_HOST_PORT', base + OFFSETS.host),
    ],
    ...(!env['DATABASE_URL'] && { postgresPort: readPort(env, 'POSTGRES_PORT', base + OFFSETS.postgres) }),
    ...(!env['SMTP_URL'] && {
      mailbox: {
        smtpPort: readPort(env, 'MAILBOX_SMTP_PORT', base + OFFSETS.mailboxSmtp),
        webPort: readPort(env, 'MAILBOX_WEB_PORT', base + OFFSETS.mailboxWeb),
      },
    }),
    ...(!env['STRIPE_SECRET_KEY'] && { paymentsPort: readPort(env, 'PAYMENTS_PORT', base + OFFSETS.payments) }),
  };
  requireReachable(settings, env);
  return settings;
}

/** @throws StartError if an HTTP port is one that browsers and `fetch` block. */
function requireReachable({ services, mailbox, paymentsPort }: Settings, env: NodeJS.ProcessEnv): void {
  const ports = services.flatMap(({ name, port, metricsPort, variable }) => [
    { port, variable, purpose: name },
    { port: metricsPort, variable, purpose: `the metrics of ${name}` },
  ]);
  if (mailbox) ports.push({ port: mailbox.webPort, variable: 'MAILBOX_WEB_PORT', purpose: "the mailbox's page" });
  if (paymentsPort) ports.push({ port: paymentsPort, variable: 'PAYMENTS_PORT', purpose: 'the test payments' });
  const blocked = ports.find(({ port }) => BLOCKED_PORTS.has(port));
  if (!blocked) return;
  const variable = env[blocked.variable] ? blocked.variable : 'PORT_BASE';
  throw new StartError(
    `${variable} is ${env[variable]}, which puts ${blocked.purpose} on port ${blocked.port}, which browsers and fetch block. Set ${variable} to another number.`,
  );
}

/** URL of each part on this machine, by its name. */
export function urlsOf({ host, services, mailbox, paymentsPort, postgresPort }: Settings): Record<string, string> {
  return {
    ...Object.fromEntries(services.map(({ name, port }) => [name, `http://${shownHost(host)}:${port}`])),
    ...(mailbox && { mailbox: `http://localhost:${mailbox.webPort}`, smtp: `smtp://127.0.0.1:${mailbox.smtpPort}` }),
    ...(paymentsPort && { payments: `http://localhost:${paymentsPort}` }),
    ...(postgresPort && { postgresql: `postgres://127.0.0.1:${postgresPort}` }),
  };
}

/**
 * Host in URLs for users of this machine: localhost, unless the platform listens only on another
 * address.
 */
const shownHost = (host: string): string => {
  if (['127.0.0.1', '0.0.0.0', '::', '::1'].includes(host)) return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
};

function readPort(env: NodeJS.ProcessEnv, variable: string, conventional: number, above = 0): number {
  const port = Number(env[variable] || conventional);
  if (Number.isInteger(port) && port > 0 && port + above < 65_536) return port;
  throw new StartError(
    `${variable} is "${env[variable]}", which is not a port. Set it to a number from 1 to ${65_535 - above}.`,
  );
}
