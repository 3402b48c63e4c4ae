import { serviceOf } from '@platform/contracts';
import { isIP } from 'node:net';
import { join } from 'node:path';
import type { ProcessDefinition } from './managed-process.js';
import type { Settings } from './settings.js';

/**
 * Less than the services' default of 8 s, because the supervisor has to stop everything within 10
 * s.
 */
const SHUTDOWN_TIMEOUT_SECONDS = 5;

const STRIPE = 'https://api.stripe.com';

/**
 * Definitions of the services and the panel. `env` has the secrets and DATABASE_URL; its addresses
 * override the local ones.
 */
export function serviceProcesses(root: string, settings: Settings, env: NodeJS.ProcessEnv): ProcessDefinition[] {
  const addresses = Object.fromEntries(
    settings.services.map(({ variable, port }) => [
      variable.replace(/_PORT$/, '_URL'),
      `http://${connectable(settings.host)}:${port}`,
    ]),
  );
  const panelPort = settings.services.find(({ name }) => name === 'panel')?.port;
  const given = withoutEmpty(env);
  const panelUrl = given['PANEL_URL'] ?? `http://localhost:${panelPort}`;
  return settings.services.map(({ name, port, metricsPort }) => ({
    name,
    script: join(root, 'dist', 'apps', name, 'src', 'main.js'),
    logFile: logFile(root, name),
    env: {
      ...addresses,
      PUBLIC_URL: `http://localhost:${port}`,
      ...(settings.mailbox && { SMTP_URL: `smtp://127.0.0.1:${settings.mailbox.smtpPort}` }),
      WORKERS: 'inline', // there are no separate worker processes
      ...given,
      PANEL_URL: panelUrl,
      ...(name === 'panel' && {
        PUBLIC_URL: panelUrl,
        GATEWAY_SERVICE_TOKEN: given['GATEWAY_SERVICE_TOKEN'] ?? serviceToken(given, 'panel'),
        ...(settings.paymentsPort && {
          TEST_PAYMENTS_URL: given['TEST_PAYMENTS_URL'] ?? `http://localhost:${settings.paymentsPort}`,
        }),
      }),
      // Trusts this machine as a proxy: the panel calls from it and passes on the address of its
      // user.
      ...((name === 'auth-gateway' || name === 'ext-webhook-host') && {
        TRUSTED_PROXIES: [...ownAddresses(settings.host), given['TRUSTED_PROXIES']].filter(Boolean).join(','),
      }),
      ...(name === 'auth-gateway' && {
        // A gateway in development would call the fake by default, even with a real key.
        STRIPE_API_URL:
          given['STRIPE_API_URL'] ?? (settings.paymentsPort ? `http://127.0.0.1:${settings.paymentsPort}` : STRIPE),
        AUDIT_ANCHOR_FILE: given['AUDIT_ANCHOR_FILE'] ?? join(root, '.data', 'audit-anchors.jsonl'),
        REGISTRY_SERVICE_TOKEN: given['REGISTRY_SERVICE_TOKEN'] ?? serviceToken(given, 'gateway'),
        EXT_WEBHOOK_HOST_SERVICE_TOKEN: given['EXT_WEBHOOK_HOST_SERVICE_TOKEN'] ?? serviceToken(given, 'gateway'),
      }),
      ...(name === 'registry' && {
        AUTH_GATEWAY_SERVICE_TOKEN: serviceToken(given, 'registry') ?? given['AUTH_GATEWAY_SERVICE_TOKEN'],
      }),
      ...(name === 'ext-webhook-host' && {
        AUTH_GATEWAY_SERVICE_TOKEN: given['AUTH_GATEWAY_SERVICE_TOKEN'] ?? serviceToken(given, 'ext-webhook-host'),
      }),
      HOST: settings.host,
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      SHUTDOWN_TIMEOUT_SECONDS: String(SHUTDOWN_TIMEOUT_SECONDS),
    },
  }));
}

/** Definition of the mailbox; none if a mail server is configured. */
export function mailboxProcesses(root: string, { mailbox }: Settings): ProcessDefinition[] {
  if (!mailbox) return [];
  const env = {
    ...process.env,
    MAILBOX_SMTP_PORT: String(mailbox.smtpPort),
    MAILBOX_WEB_PORT: String(mailbox.webPort),
    MAILBOX_FILE: join(root, '.data', 'mailbox.jsonl'),
  };
  return [
    {
      name: 'mailbox',
      script: join(root, 'dist', 'tools', 'mailbox', 'main.js'),
      logFile: logFile(root, 'mailbox'),
      env,
    },
  ];
}

/** Definition of the fake of Stripe; none if there is a Stripe key. */
export function paymentsProcesses(root: string, { host, services, paymentsPort }: Settings): ProcessDefinition[] {
  if (!paymentsPort) return [];
  const gateway = services.find(({ name }) => name === 'auth-gateway')?.port;
  const env = {
    ...process.env,
    PAYMENTS_PORT: String(paymentsPort),
    PAYMENTS_FILE: join(root, '.data', 'payments.jsonl'),
    PAYMENTS_PROCESSING_SECONDS: '30',
    PAYMENTS_WEBHOOK_URL: `http://${connectable(host)}:${gateway}/v1/webhooks/stripe`,
  };
  return [
    {
      name: 'payments',
      script: join(root, 'dist', 'tools', 'payments', 'main.js'),
      logFile: logFile(root, 'payments'),
      env,
    },
  ];
}

/** Token with this name, or with this name and a number, in `name:token,name:token`. */
function serviceToken(env: NodeJS.ProcessEnv, wanted: string): string | undefined {
  const tokens = env['SERVICE_TOKENS']?.split(',').map((entry) => entry.trim().split(':')) ?? [];
  return tokens.find(([name = '']) => serviceOf(name) === wanted)?.[1];
}

const logFile = (root: string, name: string) => join(root, '.data', 'logs', `${name}.log`);

/** Removes empty variables; they count as absent, as in the services. */
const withoutEmpty = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));

const ownAddresses = (host: string) => ['loopback', ...(isIP(host) ? [host] : [])];

/** Address on this machine of a service that listens on this host. */
export const connectable = (host: string) => (host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host);
