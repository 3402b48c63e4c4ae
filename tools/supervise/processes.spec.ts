import { paymentsProcesses, serviceProcesses } from './processes.js';
import { readSettings } from './settings.js';

/** Stripe settings of the gateway, and the webhook address of the fake Stripe. */
function stripeOf(env: NodeJS.ProcessEnv) {
  const settings = readSettings(env);
  const services = serviceProcesses('/clone', settings, env);
  const named = (name: string) =>
    Object.entries(services.find((service) => service.name === name)?.env ?? {}).filter(([variable]) =>
      variable.startsWith('STRIPE_'),
    );
  const [payments] = paymentsProcesses('/clone', settings);
  return {
    gateway: Object.fromEntries(named('auth-gateway')),
    registry: Object.fromEntries(named('registry')),
    payments,
  };
}

it('tells the gateway where test payments are, and these where the gateway is', () => {
  const { gateway, registry, payments } = stripeOf({ PORT_BASE: '5000' });
  expect([gateway, registry]).toEqual([{ STRIPE_API_URL: 'http://127.0.0.1:5042' }, {}]);
  expect(payments).toMatchObject({
    name: 'payments',
    script: '/clone/dist/tools/payments/main.js',
    env: {
      PAYMENTS_PORT: '5042',
      PAYMENTS_FILE: '/clone/.data/payments.jsonl',
      PAYMENTS_WEBHOOK_URL: 'http://127.0.0.1:5000/v1/webhooks/stripe',
    },
  });
  const everywhere = stripeOf({ HOST: '0.0.0.0', AUTH_GATEWAY_PORT: '5001' }).payments;
  expect(everywhere?.env['PAYMENTS_WEBHOOK_URL']).toBe('http://127.0.0.1:5001/v1/webhooks/stripe');
});

it('tells the panel where browsers find test payments, unless there are none', () => {
  const panelOf = (env: NodeJS.ProcessEnv) =>
    serviceProcesses('/clone', readSettings(env), env).find(({ name }) => name === 'panel')?.env['TEST_PAYMENTS_URL'];
  expect(panelOf({ PORT_BASE: '5000' })).toBe('http://localhost:5042');
  expect(panelOf({ STRIPE_SECRET_KEY: 'sk_test_own' })).toBeUndefined();
});

it('leaves everything of Stripe as it is given where there is a key of it', () => {
  const given = {
    STRIPE_SECRET_KEY: 'sk_test_own',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_own',
    STRIPE_WEBHOOK_SECRETS: 'whsec_own',
  };
  const ofStripe = { ...given, STRIPE_API_URL: 'https://api.stripe.com' };
  expect(stripeOf(given)).toEqual({ gateway: ofStripe, registry: given, payments: undefined });
  const withUrl = { ...given, STRIPE_API_URL: 'http://127.0.0.1:9' };
  expect(stripeOf(withUrl).gateway).toEqual(withUrl);
  expect(stripeOf({ STRIPE_API_URL: 'http://127.0.0.1:9' }).gateway).toEqual({ STRIPE_API_URL: 'http://127.0.0.1:9' });
});

it('has the services run the jobs, unless they are told otherwise', () => {
  const workersOf = (env: NodeJS.ProcessEnv) =>
    serviceProcesses('/clone', readSettings(env), env).map((service) => service.env['WORKERS']);
  expect(new Set(workersOf({}))).toEqual(new Set(['inline']));
  expect(new Set(workersOf({ WORKERS: 'off' }))).toEqual(new Set(['off']));
});

it('has the services that the panel calls for people believe it from where these come', () => {
  const trusting = serviceProcesses('/clone', readSettings({}), { TRUSTED_PROXIES: '10.0.0.1' }).filter(
    ({ env }) => env['TRUSTED_PROXIES'] === 'loopback,127.0.0.1,10.0.0.1',
  );
  expect(trusting.map(({ name }) => name).sort()).toEqual(['auth-gateway', 'ext-webhook-host']);
});
