import { baseUrl, ConfigError, wholeNumber } from '@platform/platform';
import { makeExactValidator } from 'envalid';

/** As Stripe makes them: https://docs.stripe.com/keys. `kind` stands before `_live_` or `_test_`. */
const key = (kinds: string, expected: string) =>
  makeExactValidator<string>((input) => {
    if (!new RegExp(`^(${kinds})_(live|test)_\\w+$`).test(input)) throw new Error(`expected ${expected}`);
    return input;
  });

const secrets = makeExactValidator<string[]>((input) => {
  const all = input.split(',').map((one) => one.trim());
  if (all.length > 5 || !all.every((one) => /^whsec_\w+$/.test(one)))
    throw new Error('expected whsec_…, or up to 5 of them separated by commas');
  return all;
});

/** The keys of the stand-in of Stripe. They are in the sources, so everybody has them. */
const STAND_IN = { secretKey: 'sk_test_stand_in', publishableKey: 'pk_test_stand_in', webhookSecret: 'whsec_stand_in' };

/** What the gateway has to know of Stripe. In development it is the stand-in. */
export const stripeConfig = {
  STRIPE_SECRET_KEY: key(
    'sk|rk',
    'sk_live_… or sk_test_…, or a restricted key',
  )({
    devDefault: STAND_IN.secretKey,
    desc: 'the secret key of the Stripe account that is paid, or a restricted one',
    docs: 'payments.md#running-it',
  }),
  STRIPE_PUBLISHABLE_KEY: key(
    'pk',
    'pk_live_… or pk_test_…',
  )({
    devDefault: STAND_IN.publishableKey,
    desc: 'the publishable key of the same account, which browsers get',
  }),
  STRIPE_WEBHOOK_SECRETS: secrets({
    devDefault: [STAND_IN.webhookSecret],
    desc: 'the signing secret of the webhook endpoint; up to 5, separated by commas, while one is being replaced',
    docs: 'operations/keys.md#stripe_webhook_secrets',
  }),
  STRIPE_API_URL: baseUrl({
    default: 'https://api.stripe.com',
    devDefault: 'http://127.0.0.1:4042',
    desc: 'where Stripe is called',
  }),
  TOPUP_MAX_CENTS: wholeNumber(50, 99_999_999)({ default: 100_000, desc: 'US cents that a user may pay for credits at once' }),
  CARD_DISPUTE_DAYS: wholeNumber(
    0,
    1_000,
  )({
    default: 120,
    desc: 'how many days after a payment its customer may dispute it; the list of payouts says how much of each was earned in the last of them',
    docs: 'developer-portal.md#payouts',
  }),
};

interface KeysOfStripe {
  STRIPE_SECRET_KEY: string;
  STRIPE_PUBLISHABLE_KEY: string;
  STRIPE_WEBHOOK_SECRETS: readonly string[];
}

/**
 * For production.
 *
 * @throws ConfigError that names each key of the stand-in: with its webhook secret anybody could tell of payments that nobody made.
 */
export function refuseStandIn({ STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY, STRIPE_WEBHOOK_SECRETS }: KeysOfStripe): void {
  const ofStandIn = {
    STRIPE_SECRET_KEY: STRIPE_SECRET_KEY === STAND_IN.secretKey,
    STRIPE_PUBLISHABLE_KEY: STRIPE_PUBLISHABLE_KEY === STAND_IN.publishableKey,
    STRIPE_WEBHOOK_SECRETS: STRIPE_WEBHOOK_SECRETS.includes(STAND_IN.webhookSecret),
  };
  const names = Object.entries(ofStandIn).flatMap(([name, isOfStandIn]) => (isOfStandIn ? [name] : []));
  const refusals = names.map((name) => `${name} is not for production: it is that of the stand-in of Stripe, which everybody has.`);
  if (refusals.length) throw new ConfigError(refusals.join('\n'));
}
