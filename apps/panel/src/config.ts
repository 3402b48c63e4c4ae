import {
  baseUrl,
  ConfigError,
  keyring,
  parseConfig,
  serviceConfig,
  servicePorts,
  serviceToken,
  serviceTokens,
  wholeNumber,
} from '@platform/platform';
import { makeExactValidator } from 'envalid';

/**
 * Validator for the address of the panel: only scheme, host and port, since the session cookie and
 * the page paths need the root of an origin.
 */
const origin = makeExactValidator<string>((input) => {
  if (!URL.canParse(input)) throw new Error('expected an absolute http(s) address');
  const url = new URL(input);
  if (!['http:', 'https:'].includes(url.protocol) || url.href !== `${url.origin}/`) {
    throw new Error('expected an http(s) address without a path, such as https://panel.example.com');
  }
  return url.origin;
});

/**
 * Validator for the address of the fake of Stripe, which listens only on the computer of the
 * browser: `http` with `localhost` or `127.0.0.1`.
 */
const ofThisMachine = makeExactValidator<string>((input) => {
  const url = URL.canParse(input) ? new URL(input) : null;
  if (
    url?.protocol !== 'http:' ||
    !['localhost', '127.0.0.1'].includes(url.hostname) ||
    url.href !== `${url.origin}/`
  ) {
    throw new Error('expected an address of this machine, such as http://localhost:4042');
  }
  return url.origin;
});

export const specification = {
  ...serviceConfig,
  ...servicePorts(4003),
  // No service calls the panel.
  SERVICE_TOKENS: serviceTokens({ default: [], desc: 'not used: no service calls the panel' }),
  SECRET_KEYS: keyring({
    desc: '32 random bytes as id:base64; several, newest first, to rotate',
    docs: 'operations/keys.md#secret_keys',
  }),
  PUBLIC_URL: origin({
    devDefault: 'http://localhost:4003',
    desc: "the address at which users reach the panel, without a path; equal to the gateway's PANEL_URL",
  }),
  AUTH_GATEWAY_URL: baseUrl({
    devDefault: 'http://127.0.0.1:4000',
    desc: 'the address at which the panel reaches the gateway',
  }),
  EXT_WEBHOOK_HOST_URL: baseUrl({
    devDefault: 'http://127.0.0.1:4002',
    desc: 'the address at which the panel reaches the host of extensions, for their webhooks',
  }),
  /**
   * The host itself takes up to 28 s: 8 to wait for a slot, 10 for the body, 10 for the handler.
   */
  EXT_WEBHOOK_HOST_TIMEOUT_MS: wholeNumber(
    100,
    120_000,
  )({ default: 30_000, desc: 'milliseconds that the host may take for the answer to a webhook' }),
  EVENT_STREAMS: wholeNumber(
    1,
    100_000,
  )({
    default: 2_000,
    desc: 'number of pages that can follow events at one process of the panel; further pages get 503',
    docs: 'decisions/0008-panel.md',
  }),
  GATEWAY_SERVICE_TOKEN: serviceToken({
    desc: 'the token named panel in the SERVICE_TOKENS of the gateway, without its name',
  }),
  TEST_PAYMENTS_URL: ofThisMachine({
    default: '',
    devDefault: 'http://localhost:4042',
    desc: 'the address of the fake of Stripe on the computer of the browser; refused in production',
    docs: 'decisions/0033-stand-in-of-stripe.md',
  }),
};

/**
 * Reads the configuration.
 *
 * @throws ConfigError that names the values that are missing, malformed, or not allowed in
 * production.
 */
export function loadConfig(env: NodeJS.ProcessEnv) {
  const config = parseConfig(specification, env);
  if (config.NODE_ENV === 'production' && config.TEST_PAYMENTS_URL) {
    throw new ConfigError(
      'TEST_PAYMENTS_URL is not allowed in production: users could pay with test cards. Remove it.',
    );
  }
  return config;
}

export type Config = ReturnType<typeof loadConfig>;

export const CONFIG = Symbol('CONFIG');
