import { ConfigError } from '@platform/platform';
import { loadConfig } from './config.js';

const TOKEN = 'a-service-token-0123456789';
const ENV = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://unused',
  SECRET_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
  PUBLIC_URL: 'https://panel.example.com/',
  AUTH_GATEWAY_URL: 'http://gateway:4000/',
  EXT_WEBHOOK_HOST_URL: 'http://host:4002/',
  GATEWAY_SERVICE_TOKEN: TOKEN,
};

const refusalOf = (env: NodeJS.ProcessEnv): string => {
  try {
    loadConfig(env);
    return '';
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
};

it('takes what production gives, and needs no service tokens of its own', () => {
  expect(loadConfig(ENV)).toMatchObject({
    PORT: 4003,
    METRICS_PORT: 4103,
    PUBLIC_URL: 'https://panel.example.com',
    AUTH_GATEWAY_URL: 'http://gateway:4000',
    EXT_WEBHOOK_HOST_URL: 'http://host:4002',
    GATEWAY_SERVICE_TOKEN: TOKEN,
    SERVICE_TOKENS: [],
  });
});

it.each([
  'DATABASE_URL',
  'SECRET_KEYS',
  'PUBLIC_URL',
  'AUTH_GATEWAY_URL',
  'EXT_WEBHOOK_HOST_URL',
  'GATEWAY_SERVICE_TOKEN',
])('names %s when production lacks it', (name) => {
  expect(refusalOf({ ...ENV, [name]: '' })).toMatch(new RegExp(`^${name} is required: `));
});

it.each([
  ['PUBLIC_URL', 'panel.example.com', 'absolute'],
  ['PUBLIC_URL', 'https://example.com/panel', 'without a path'],
  ['PUBLIC_URL', 'https://user@panel.example.com', 'without a path'],
  ['PUBLIC_URL', 'ftp://panel.example.com', 'without a path'],
  ['GATEWAY_SERVICE_TOKEN', `panel:${TOKEN}`, 'without its name'],
  ['GATEWAY_SERVICE_TOKEN', 'too-short', '24 characters'],
  ['TEST_PAYMENTS_URL', 'https://payments.example.com', 'an address of this machine'],
  ['TEST_PAYMENTS_URL', 'http://localhost.example.com:4042', 'an address of this machine'],
  ['TEST_PAYMENTS_URL', 'http://localhost:4042/pay', 'an address of this machine'],
])('refuses %s=%s', (name, value, reason) => {
  const refusal = refusalOf({ ...ENV, [name]: value });
  expect(refusal).toContain(`${name} is malformed`);
  expect(refusal).toContain(reason);
  expect(refusal).not.toContain(value);
});

it('leads to test payments on this machine, and in production to none', () => {
  expect(loadConfig({ ...ENV, NODE_ENV: 'development' }).TEST_PAYMENTS_URL).toBe('http://localhost:4042');
  expect(loadConfig(ENV).TEST_PAYMENTS_URL).toBe('');
  expect(refusalOf({ ...ENV, TEST_PAYMENTS_URL: 'http://localhost:4042' })).toMatch(
    /^TEST_PAYMENTS_URL is not allowed in production: /,
  );
});
