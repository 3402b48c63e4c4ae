import { join } from 'node:path';
import type { ProcessDefinition } from './managed-process.js';
import type { Settings } from './settings.js';

/** The supervisor has to stop everything within 10 s, so a service gets less than the 8 s that it takes by itself. */
const SHUTDOWN_TIMEOUT_SECONDS = 5;

/** The three services. `env` has the secrets and DATABASE_URL; what it says about addresses wins over the local ones. */
export function serviceProcesses(root: string, settings: Settings, env: NodeJS.ProcessEnv): ProcessDefinition[] {
  const addresses = Object.fromEntries(
    settings.services.map(({ variable, port }) => [variable.replace(/_PORT$/, '_URL'), `http://${connectable(settings.host)}:${port}`]),
  );
  const gateway = settings.services.find(({ name }) => name === 'auth-gateway');
  return settings.services.map(({ name, port, metricsPort }) => ({
    name,
    script: join(root, 'dist', 'apps', name, 'src', 'main.js'),
    logFile: logFile(root, name),
    env: {
      ...addresses,
      PUBLIC_URL: `http://localhost:${port}`,
      PANEL_URL: `http://localhost:${gateway?.port}`,
      ...(settings.mailbox && { SMTP_URL: `smtp://127.0.0.1:${settings.mailbox.smtpPort}` }),
      ...withoutEmpty(env),
      HOST: settings.host,
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      SHUTDOWN_TIMEOUT_SECONDS: String(SHUTDOWN_TIMEOUT_SECONDS),
    },
  }));
}

/** None when a mail server is given. */
export function mailboxProcesses(root: string, { mailbox }: Settings): ProcessDefinition[] {
  if (!mailbox) return [];
  const env = {
    ...process.env,
    MAILBOX_SMTP_PORT: String(mailbox.smtpPort),
    MAILBOX_WEB_PORT: String(mailbox.webPort),
    MAILBOX_FILE: join(root, '.data', 'mailbox.jsonl'),
  };
  return [{ name: 'mailbox', script: join(root, 'dist', 'tools', 'mailbox', 'main.js'), logFile: logFile(root, 'mailbox'), env }];
}

const logFile = (root: string, name: string) => join(root, '.data', 'logs', `${name}.log`);

/** An empty variable counts as absent, here as in the services. */
const withoutEmpty = (env: NodeJS.ProcessEnv) => Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));

const connectable = (host: string) => (host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host);
