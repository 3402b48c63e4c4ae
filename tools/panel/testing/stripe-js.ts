import type { Page } from 'playwright-core';

/** URL from which the payment page loads Stripe's script. */
export const STRIPE_JS = 'https://js.stripe.com/endive/stripe.js';

const FRAME = 'https://js.stripe.com/v3/card-fields.html';

/**
 * The parts of Stripe's script that the page uses, with fields in a frame of Stripe.
 * `window.stripeCalls` records the calls.
 */
const scriptOf = (outcomes: readonly (string | null)[], status: string): string => `
  const outcomes = ${JSON.stringify(outcomes)};
  const calls = (window.stripeCalls = []);
  const confirm = async () => {
    const message = outcomes.shift();
    return message ? { error: { type: 'card_error', message } } : { paymentIntent: { status: 'succeeded' } };
  };
  const retrieve = (name) => async (secret) => {
    calls.push(name + ' ' + secret);
    return { paymentIntent: { status: '${status}' } };
  };
  window.Stripe = (key) => {
    calls.push(key);
    return {
      retrievePaymentIntent: retrieve('retrievePaymentIntent'),
      retrieveSetupIntent: retrieve('retrieveSetupIntent'),
      confirmPayment: confirm,
      confirmSetup: confirm,
      elements: ({ clientSecret }) => {
        calls.push('elements ' + clientSecret);
        return {
          submit: async () => ({}),
          create: () => {
            let frame;
            const handlers = {};
            return {
              on: (name, handler) => (handlers[name] = handler),
              mount: (place) => {
                frame = document.createElement('iframe');
                frame.src = '${FRAME}';
                frame.title = 'Secure payment fields';
                frame.onload = () => handlers.ready();
                place.append(frame);
              },
              destroy: () => frame.remove(),
            };
          },
        };
      },
    };
  };`;

/**
 * Replaces Stripe's own script, which no test can load.
 * @param outcomes reason of the decline for each attempt to pay, or null for success
 * @param status status of the payment when the page loads
 */
export async function useStripeJs(
  page: Page,
  outcomes: readonly (string | null)[],
  status = 'requires_payment_method',
): Promise<void> {
  await page.route(STRIPE_JS, (route) =>
    route.fulfill({ contentType: 'text/javascript', body: scriptOf(outcomes, status) }),
  );
  await page.route(FRAME, (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: '<!doctype html><html lang="en"><title>Fields</title><main>Card number</main></html>',
    }),
  );
}
