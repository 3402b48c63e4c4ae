import { baseUrl, wholeNumber } from '@platform/platform';
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

/** What the gateway has to know of Stripe. In development it is the stand-in, which knows no others. */
export const stripeConfig = {
  STRIPE_SECRET_KEY: key(
    'sk|rk',
    'sk_live_… or sk_test_…, or a restricted key',
  )({
    devDefault: 'sk_test_stand_in',
    desc: 'the secret key of the Stripe account that is paid',
  }),
  STRIPE_PUBLISHABLE_KEY: key(
    'pk',
    'pk_live_… or pk_test_…',
  )({
    devDefault: 'pk_test_stand_in',
    desc: 'the publishable key of the same account, which browsers get',
  }),
  STRIPE_WEBHOOK_SECRETS: secrets({
    devDefault: ['whsec_stand_in'],
    desc: 'the signing secret of the webhook endpoint; several, separated by commas, while one is being replaced',
  }),
  STRIPE_API_URL: baseUrl({
    default: 'https://api.stripe.com',
    devDefault: 'http://127.0.0.1:4042',
    desc: 'where Stripe is called',
  }),
  TOPUP_MAX_CENTS: wholeNumber(50, 99_999_999)({ default: 100_000, desc: 'US cents that a user may pay for credits at once' }),
};
