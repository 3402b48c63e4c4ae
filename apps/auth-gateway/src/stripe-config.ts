import { baseUrl, ConfigError, wholeNumber } from '@platform/platform';
import { makeExactValidator } from 'envalid';

/**
 * Makes a validator for a key of Stripe, such as `sk_live_…` (https://docs.stripe.com/keys). It
 * returns the key unchanged.
 *
 * @param kinds regular expression for the part before `_live_` or `_test_`, such as `sk|rk`.
 * @param expected description of a valid key, for the error of the validator.
 */
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

/** Keys of the Stripe fake. They are public because they are in the source code. */
const FAKE_STRIPE_KEYS = {
  secretKey: 'sk_test_stand_in',
  publishableKey: 'pk_test_stand_in',
  webhookSecret: 'whsec_stand_in',
};

/** Connection to Stripe. The defaults in development are those of the Stripe fake. */
export const stripeConfig = {
  STRIPE_SECRET_KEY: key(
    'sk|rk',
    'sk_live_… or sk_test_…, or a restricted key',
  )({
    devDefault: FAKE_STRIPE_KEYS.secretKey,
    desc: 'the secret key of the Stripe account that receives the payments, or a restricted key',
    docs: 'payments.md#running-it',
  }),
  STRIPE_PUBLISHABLE_KEY: key(
    'pk',
    'pk_live_… or pk_test_…',
  )({
    devDefault: FAKE_STRIPE_KEYS.publishableKey,
    desc: 'the publishable key of the same account, for browsers',
  }),
  STRIPE_WEBHOOK_SECRETS: secrets({
    devDefault: [FAKE_STRIPE_KEYS.webhookSecret],
    desc: 'the signing secret of the webhook endpoint; up to 5, separated by commas, while one is being replaced',
    docs: 'operations/keys.md#stripe_webhook_secrets',
  }),
  STRIPE_API_URL: baseUrl({
    default: 'https://api.stripe.com',
    devDefault: 'http://127.0.0.1:4042',
    desc: "the address of Stripe's API",
  }),
  TOPUP_MAX_CENTS: wholeNumber(50, 99_999_999)({ default: 100_000, desc: 'most US cents in one payment for credits' }),
  CARD_DISPUTE_DAYS: wholeNumber(
    0,
    1_000,
  )({
    default: 120,
    desc: 'days in which a customer can dispute a payment; the list of payouts shows the part of each payout that was earned within these days',
    docs: 'developer-portal.md#payouts',
  }),
};

interface StripeKeys {
  STRIPE_SECRET_KEY: string;
  STRIPE_PUBLISHABLE_KEY: string;
  STRIPE_WEBHOOK_SECRETS: readonly string[];
}

/**
 * Refuses the public keys of the local Stripe fake. Call it in production: with the public webhook
 * secret anyone could report false payments.
 *
 * @throws ConfigError that names each variable that has such a key.
 */
export function refuseStripeFake({
  STRIPE_SECRET_KEY,
  STRIPE_PUBLISHABLE_KEY,
  STRIPE_WEBHOOK_SECRETS,
}: StripeKeys): void {
  const ofFake = {
    STRIPE_SECRET_KEY: STRIPE_SECRET_KEY === FAKE_STRIPE_KEYS.secretKey,
    STRIPE_PUBLISHABLE_KEY: STRIPE_PUBLISHABLE_KEY === FAKE_STRIPE_KEYS.publishableKey,
    STRIPE_WEBHOOK_SECRETS: STRIPE_WEBHOOK_SECRETS.includes(FAKE_STRIPE_KEYS.webhookSecret),
  };
  const names = Object.entries(ofFake).flatMap(([name, isOfFake]) => (isOfFake ? [name] : []));
  const refusals = names.map(
    (name) =>
      `${name} is not for production: it is the public key of the local Stripe fake. Use the key of your Stripe account.`,
  );
  if (refusals.length) throw new ConfigError(refusals.join('\n'));
}
