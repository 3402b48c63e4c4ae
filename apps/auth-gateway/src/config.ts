import { baseUrl, keyring, parseConfig, serviceConfig, servicePorts, serviceToken, wholeNumber } from '@platform/platform';
import { str } from 'envalid';
import { invoiceConfig } from './invoice-config.js';
import { stripeConfig } from './stripe-config.js';
import { NO_TIER_LIMITS, tierLimits } from './tier-limits.js';

const specification = {
  ...serviceConfig,
  ...servicePorts(4000),
  SECRET_KEYS: keyring({ desc: '32 random bytes as id:base64; several, newest first, to rotate' }),
  PUBLIC_URL: baseUrl({
    devDefault: 'http://localhost:4000',
    desc: 'the address at which users reach this service; the issuer of its tokens',
  }),
  PANEL_URL: baseUrl({ devDefault: 'http://localhost:4003', desc: 'the address of the web panel, for links in mails' }),
  REGISTRY_URL: baseUrl({ devDefault: 'http://127.0.0.1:4001', desc: 'the address at which the gateway reaches the registry' }),
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
  SMTP_URL: str({ devDefault: 'smtp://127.0.0.1:4025', desc: 'the mail server, as smtp://user:password@host:port' }),
  MAIL_FROM: str({ default: 'Cloud Platform <no-reply@platform.local>' }),
  RATE_LIMIT_SCALE: wholeNumber(
    1,
    1_000_000,
  )({ default: 1, desc: 'multiplies the limits per client address and per user, for load tests or for many users behind one address' }),
  DEVELOPER_TIER_LIMITS: tierLimits({
    default: NO_TIER_LIMITS,
    desc: 'what the tiers of developers allow: none, standard, or explorer:apps=1+days=7+requests=100,indie:…',
  }),
  PASSWORD_MIN_LENGTH: wholeNumber(8, 15)({ default: 8, desc: 'how many characters a new password needs' }),
  EMAIL_AVAILABLE_MODE: str({
    choices: ['truthful', 'uniform'],
    default: 'truthful',
    desc: 'uniform says of every address that it is available, so that nobody learns who has an account',
  }),
  EVENT_QUOTA_MB: wholeNumber(1, 1_000_000)({ default: 100, desc: 'MiB of events that the apps of one developer may publish in a day' }),
  ...stripeConfig,
  ...invoiceConfig,
  AUDIT_ANCHOR_FILE: str({ default: '', desc: 'where the last seals of the audit log are written; without it they are lines of the log' }),
  REFRESH_GRACE_SECONDS: wholeNumber(0, 300)({ default: 60, desc: 'how long a rotated refresh token still returns its successor' }),
};

export const loadConfig = (env: NodeJS.ProcessEnv) => parseConfig(specification, env);

export type Config = ReturnType<typeof loadConfig>;

export const CONFIG = Symbol('CONFIG');
