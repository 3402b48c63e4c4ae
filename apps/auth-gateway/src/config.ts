import { addressesAndPorts } from '@platform/egress';
import {
  baseUrl,
  keyring,
  parseConfig,
  serviceConfig,
  servicePorts,
  serviceToken,
  wholeNumber,
} from '@platform/platform';
import { str } from 'envalid';
import { invoiceConfig } from './invoice-config.js';
import { smtpConfig } from './smtp-config.js';
import { refuseStripeFake, stripeConfig } from './stripe-config.js';
import { NO_TIER_LIMITS, tierLimits } from './tier-limits.js';

export const specification = {
  ...serviceConfig,
  ...servicePorts(4000),
  SECRET_KEYS: keyring({
    desc: '32 random bytes as id:base64; several, newest first, to rotate',
    docs: 'operations/keys.md#secret_keys',
  }),
  PUBLIC_URL: baseUrl({
    devDefault: 'http://localhost:4000',
    desc: 'the address at which users reach the gateway, and the issuer of its tokens',
  }),
  PANEL_URL: baseUrl({ devDefault: 'http://localhost:4003', desc: 'the address of the web panel, for links in mails' }),
  REGISTRY_URL: baseUrl({
    devDefault: 'http://127.0.0.1:4001',
    desc: 'the address at which the gateway reaches the registry',
  }),
  REGISTRY_SERVICE_TOKEN: serviceToken({
    devDefault: '',
    desc: 'the token named gateway in the SERVICE_TOKENS of the registry, without its name',
  }),
  EXT_WEBHOOK_HOST_URL: baseUrl({
    devDefault: 'http://127.0.0.1:4002',
    desc: 'the address at which the gateway reaches the ext-webhook-host',
  }),
  EXT_WEBHOOK_HOST_SERVICE_TOKEN: serviceToken({
    devDefault: '',
    desc: 'the token named gateway in the SERVICE_TOKENS of the ext-webhook-host, without its name',
  }),
  ...smtpConfig,
  MAIL_FROM: str({ default: 'Cloud Platform <no-reply@platform.local>', desc: 'the sender of mails' }),
  RATE_LIMIT_SCALE: wholeNumber(
    1,
    1_000_000,
  )({
    default: 1,
    desc: 'multiplies the limits per client address and per user, for load tests or for many users behind one address',
  }),
  DEVELOPER_TIER_LIMITS: tierLimits({
    default: NO_TIER_LIMITS,
    desc: 'limits of the developer tiers: none, standard, or a list such as explorer:apps=1+days=7+requests=100,indie:apps=3; tiers and limits that are not listed are unlimited',
    docs: 'developer-portal.md#becoming-a-developer',
  }),
  PASSWORD_MIN_LENGTH: wholeNumber(8, 15)({ default: 8, desc: 'fewest characters of a new password' }),
  EMAIL_AVAILABLE_MODE: str({
    choices: ['truthful', 'uniform'],
    default: 'truthful',
    desc: 'uniform reports every address as available, so that callers cannot find out which accounts exist',
  }),
  EVENT_QUOTA_MB: wholeNumber(
    1,
    1_000_000,
  )({
    default: 100,
    desc: 'MiB of events that the apps of one developer can publish in a day, at most a quarter of it for one user and half of it for no user; the same for gateway and host',
    docs: 'events.md#publishing',
  }),
  EVENT_STREAMS: wholeNumber(
    1,
    100_000,
  )({
    default: 10_000,
    desc: 'most clients that can follow events at one process of the gateway; further clients get 429',
    docs: 'events.md#following-events',
  }),
  EGRESS_ALLOW: addressesAndPorts({
    default: new Set<string>(),
    desc: 'private addresses to which outgoing webhooks can go, also without TLS, as address:port,[v6 address]:port; for development and tests',
    docs: 'events.md#webhooks-of-the-platform',
  }),
  ...stripeConfig,
  ...invoiceConfig,
  AUDIT_ANCHOR_FILE: str({
    default: '',
    desc: 'file outside the database for the last seals of the audit log; without it they are written to the log',
    docs: 'organisation.md#the-audit-log',
  }),
  REFRESH_GRACE_SECONDS: wholeNumber(
    0,
    300,
  )({ default: 60, desc: 'seconds in which a rotated refresh token still returns its successor' }),
};

/**
 * Parses the environment variables of the gateway, with their defaults.
 *
 * @throws ConfigError that names each missing or malformed variable, and in production each
 * variable that has a key of the local Stripe fake.
 */
export function loadConfig(env: NodeJS.ProcessEnv) {
  const config = parseConfig(specification, env);
  if (config.NODE_ENV === 'production') refuseStripeFake(config);
  return config;
}

export type Config = ReturnType<typeof loadConfig>;

export const CONFIG = Symbol('CONFIG');
