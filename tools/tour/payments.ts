import type {
  CheckoutConfirmResponse,
  CheckoutResponse,
  InvoiceResponse,
  PaymentHistoryItem,
  PlanChangePreview,
  PlanChangeResponse,
  RefundPaymentResponse,
  RenewResponse,
  TokenResponse,
  TopUpResponse,
  WalletResponse,
} from '@platform/contracts';
import { randomUUID } from 'node:crypto';
import type { Tour } from './tour.js';

/**
 * The new user buys credits and a plan with a test card, changes the plan, has it renewed, and gets
 * a refund.
 */
export async function payments(tour: Tour): Promise<void> {
  const { email, password, administrator } = tour;
  if (!tour.hasTestPayments) {
    tour.skip('Skipped the payments, because this platform has no test payments, and the tour uses no real cards');
    return;
  }
  const { access_token: token } = await tour.call<TokenResponse>('/v1/auth/login', {
    method: 'POST',
    body: { email, password },
  });
  const post = <Body>(path: string, body: object = {}): Promise<Body> =>
    tour.call<Body>(`/v1/billing/${path}`, { method: 'POST', token, body, idempotencyKey: randomUUID() });
  const paid = (intentId: string) =>
    tour.until('payment', async () => {
      const made = await tour.call<PaymentHistoryItem[]>('/v1/billing/payments?limit=5', { token });
      return made.find(({ payment_intent_id: id, status }) => id === intentId && status === 'succeeded');
    });

  tour.step('On the command line: show the credits for 10 dollars and the payment page');
  const computer = await tour.signInAtTerminal({ email, password });
  await tour.terminal(computer, 'topup 10');

  tour.step('Pay with a test card and save it');
  tour.expectEvent('billing.topup_initiated', { credits: 10_000 });
  const topup = await post<TopUpResponse>('topup', { tokens: 10_000, price_cents: 1_000, save_payment_method: true });
  await tour.pay(topup.payment_intent_id, topup.client_secret);
  await paid(topup.payment_intent_id);
  const { balance } = await tour.call<WalletResponse>('/v1/billing/wallet', { token });
  if (balance < 10_000) throw new Error(`10000 credits were bought, and ${balance} can be spent.`);

  tour.step('Take a plan');
  tour.expectEvent('billing.plan_changed', { plan: 'pro' });
  const checkout = await post<CheckoutResponse>('checkout', { plan_id: 'pro' });
  await tour.pay(checkout.payment_intent_id, checkout.client_secret);
  await paid(checkout.payment_intent_id);
  const { plan } = await post<CheckoutConfirmResponse>('checkout/confirm', {
    payment_intent_id: checkout.payment_intent_id,
  });
  if (plan !== 'pro') throw new Error(`The plan pro was paid, and the plan is ${plan}.`);

  tour.step('Preview the price of a larger plan for the rest of the month, and change to it; the saved card pays');
  tour.expectEvent('billing.plan_changed', { plan: 'business' });
  const preview = await post<PlanChangePreview>('change-plan/preview', { plan_id: 'business' });
  const change = await post<PlanChangeResponse>('change-plan', { plan_id: 'business' });
  if (!change.succeeded || change.amount_cents > preview.amount_cents)
    throw new Error('The plan change differs from its preview.');
  await tour.terminal(computer, 'subscription');

  await renewal(tour, post);

  tour.step('On the command line: payments, and their invoices');
  await tour.terminal(computer, 'payments');
  await tour.terminal(computer, 'invoices');

  if (!administrator) {
    tour.skip('Skipped the refund by an administrator, because ADMIN_EMAIL and ADMIN_PASSWORD are not set');
    return;
  }
  tour.step('As administrator: refund half of the first payment, which creates a credit note');
  const admin = (await tour.call<TokenResponse>('/v1/auth/login', { method: 'POST', body: administrator }))
    .access_token;
  await tour.call<RefundPaymentResponse>(`/v1/admin/payments/${topup.payment_intent_id}/refund`, {
    method: 'POST',
    token: admin,
    body: { amount_cents: 500, note: 'For the tour' },
    idempotencyKey: randomUUID(),
  });
  await tour.until('credit note', async () => {
    const invoices = await tour.call<InvoiceResponse[]>('/v1/billing/invoices?limit=10', { token });
    return invoices.find(
      ({ kind, total_cents, payment_intent_id: id }) =>
        kind === 'credit_note' && id === topup.payment_intent_id && total_cents === 500,
    );
  });
}

/**
 * Ends the month with the billing clock, then renews the plan by request, without waiting for the
 * hourly job.
 */
async function renewal(tour: Tour, post: <Body>(path: string) => Promise<Body>): Promise<void> {
  if (!tour.hasClock) {
    tour.skip('Skipped the renewal of the plan, because the tour cannot move the billing clock of this platform');
    return;
  }
  tour.step('The month ends, and the card pays the next one');
  await tour.moveClock('+32d');
  try {
    const { succeeded, plan } = await post<RenewResponse>('renew');
    if (!succeeded || plan !== 'business') throw new Error('The plan was not renewed.');
  } finally {
    await tour.moveClock('--reset');
  }
}
