import { ConfigError } from '@platform/platform';
import { loadConfig } from './config.js';

const TOKEN = 'a-service-token-0123456789';
const ENV = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://unused',
  SECRET_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
  SERVICE_TOKENS: `panel:${TOKEN}`,
  PUBLIC_URL: 'https://api.example.com',
  PANEL_URL: 'https://example.com',
  REGISTRY_URL: 'http://registry:4001',
  REGISTRY_SERVICE_TOKEN: TOKEN,
  EXT_WEBHOOK_HOST_URL: 'http://host:4002',
  EXT_WEBHOOK_HOST_SERVICE_TOKEN: TOKEN,
  SMTP_URL: 'smtp://mail:25',
  STRIPE_SECRET_KEY: 'sk_live_0123456789',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_0123456789',
  STRIPE_WEBHOOK_SECRETS: 'whsec_0123456789',
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

it.each(Object.keys(ENV).filter((name) => name !== 'NODE_ENV'))('names %s when production lacks it', (name) => {
  expect(refusalOf({ ...ENV, [name]: '' })).toMatch(new RegExp(`^${name} is required: .+$`));
});

it.each(['mail:25', 'http://mail', 'smtp://', 'smtp:mail', 'smtp://mail:25/inbox', 'smtp://mail?ignoreTLS=true'])(
  'names SMTP_URL when it is malformed: %s',
  (url) => {
    expect(refusalOf({ ...ENV, SMTP_URL: url })).toBe(
      'SMTP_URL is malformed: expected smtp://user:password@host:587 or smtps://user:password@host:465',
    );
  },
);

it('starts no production with the keys of the stand-in of Stripe', () => {
  expect(loadConfig(ENV)).toMatchObject({ STRIPE_API_URL: 'https://api.stripe.com', WORKERS: 'off' });
  const fake = {
    STRIPE_SECRET_KEY: 'sk_test_stand_in',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_stand_in',
    STRIPE_WEBHOOK_SECRETS: 'whsec_0123456789,whsec_stand_in',
  };
  const refused = Object.keys(fake).map(
    (name) =>
      `${name} is not for production: it is the public key of the local Stripe fake. Use the key of your Stripe account.`,
  );
  for (const [at, [name, value]] of Object.entries(fake).entries())
    expect(refusalOf({ ...ENV, [name]: value })).toBe(refused[at]);
  expect(refusalOf({ ...ENV, ...fake })).toBe(refused.join('\n'));
  expect(loadConfig({ ...ENV, ...fake, NODE_ENV: 'development' })).toMatchObject({
    STRIPE_SECRET_KEY: 'sk_test_stand_in',
  });
});
