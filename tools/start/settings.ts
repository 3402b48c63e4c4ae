import { StartError } from './start-error.js';

export interface ServiceSettings {
  name: 'panel' | 'auth-gateway' | 'registry' | 'ext-webhook-host';
  port: number;
  metricsPort: number;
  /** The environment variable that changes the port. */
  variable: string;
}

export interface Settings {
  host: string;
  services: ServiceSettings[];
  /** Absent when DATABASE_URL names another PostgreSQL. */
  postgresPort?: number;
  /** Absent when SMTP_URL names another mail server. */
  mailbox?: { smtpPort: number; webPort: number };
}

const METRICS_OFFSET = 100;

/** @throws StartError that names the variable which cannot be used. */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const service = (name: ServiceSettings['name'], variable: string, conventional: number): ServiceSettings => {
    const port = readPort(env, variable, conventional, METRICS_OFFSET);
    return { name, port, metricsPort: port + METRICS_OFFSET, variable };
  };
  return {
    host: env['HOST'] || '127.0.0.1',
    services: [
      service('panel', 'PANEL_PORT', 4003),
      service('auth-gateway', 'AUTH_GATEWAY_PORT', 4000),
      service('registry', 'REGISTRY_PORT', 4001),
      service('ext-webhook-host', 'EXT_WEBHOOK_HOST_PORT', 4002),
    ],
    ...(!env['DATABASE_URL'] && { postgresPort: readPort(env, 'POSTGRES_PORT', 4054) }),
    ...(!env['SMTP_URL'] && {
      mailbox: { smtpPort: readPort(env, 'MAILBOX_SMTP_PORT', 4025), webPort: readPort(env, 'MAILBOX_WEB_PORT', 4080) },
    }),
  };
}

function readPort(env: NodeJS.ProcessEnv, variable: string, conventional: number, above = 0): number {
  const port = Number(env[variable] || conventional);
  if (Number.isInteger(port) && port > 0 && port + above < 65_536) return port;
  throw new StartError(`${variable} is "${env[variable]}", which is no port. Set it to a number from 1 to ${65_535 - above}.`);
}
