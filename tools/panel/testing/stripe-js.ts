import type { Page } from 'playwright-core';

/** Where the page to pay loads it. */
export const STRIPE_JS = 'https://js.stripe.com/endive/stripe.js';

const FRAME = 'https://js.stripe.com/v3/card-fields.html';

/** What the page uses of Stripe's script, with fields in a frame of Stripe. `window.stripeCalls` has what it was asked. */
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
 * Stands in for Stripe's own script, which no test can load.
 *
 * @param outcomes of each attempt to pay: why the card was declined, or null
 * @param status of the payment when the page comes
 */
export async function useStripeJs(page: Page, outcomes: readonly (string | null)[], status = 'requires_payment_method'): Promise<void> {
  await page.route(STRIPE_JS, (route) => route.fulfill({ contentType: 'text/javascript', body: scriptOf(outcomes, status) }));
  await page.route(FRAME, (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: '<!doctype html><html lang="en"><title>Fields</title><main>Card number</main></html>',
    }),
  );
}
