import type {
  AppResponse,
  CallResponse,
  EarningsResponse,
  PayoutResponse,
  TokenResponse,
  UserResponse,
  WalletResponse,
} from '@platform/contracts';
import { randomBytes } from 'node:crypto';
import type { Tour } from './tour.js';

const PRICE = 10_000;
const CREDITS = 30_000;
const PAYOUT = 20_000;

interface Developer {
  token: string;
  userId: string;
}

/**
 * A developer sells a function: an administrator gives another user credits, the user calls the
 * function until they are spent, and the developer gets a payout.
 */
export async function billing(tour: Tour, { token, userId }: Developer): Promise<void> {
  const { administrator } = tour;
  if (!administrator) {
    tour.skip('Skipped the calls of a paid app and the payout, because ADMIN_EMAIL and ADMIN_PASSWORD are not set');
    return;
  }
  const admin = (await tour.call<TokenResponse>('/v1/auth/login', { method: 'POST', body: administrator }))
    .access_token;

  tour.step('Put a price on a function');
  const appId = `answers-${randomBytes(3).toString('hex')}`;
  await tour.call<AppResponse>('/v1/developer/apps', {
    method: 'POST',
    token,
    body: {
      app_id: appId,
      name: `Answers ${appId}`,
      short_description: 'Answers questions about life, the universe and everything',
      category: 'productivity',
      pricing_model: 'per_action',
      pricing_config: { tool_prices: { answer: PRICE } },
    },
    status: 201,
  });
  await tour.call<CallResponse>('/v1/extensions/developer/call', {
    method: 'POST',
    token,
    body: { user_id: userId, function: 'deploy_ir', params: { app_id: appId, ir_dict: answers(appId) } },
  });
  await tour.call(`/v1/developer/apps/${appId}/submit`, { method: 'POST', token, body: {} });
  await tour.call(`/v1/admin/apps/${appId}/approve`, { method: 'POST', token: admin, body: { version: '1.0.0' } });

  tour.step('Another user installs it and gets credits');
  const email = `grace-${randomBytes(4).toString('hex')}@example.com`;
  const password = randomBytes(9).toString('base64url');
  await tour.call('/v1/users', { method: 'POST', token: admin, body: { email, password }, status: 201 });
  const payer = (await tour.call<TokenResponse>('/v1/auth/login', { method: 'POST', body: { email, password } }))
    .access_token;
  const { platform_id: payerId } = await tour.call<UserResponse>('/v1/auth/me', { token: payer });
  await tour.call(`/v1/marketplace/apps/${appId}/install`, { method: 'POST', token: payer, body: {} });
  await tour.call(`/v1/admin/wallets/${payerId}/adjust`, {
    method: 'POST',
    token: admin,
    body: { amount: CREDITS, note: 'For the tour', earns: true },
  });

  tour.step('The user calls it until the credits are spent');
  const call = { method: 'POST' as const, token: payer, body: { user_id: payerId, function: 'answer' } };
  let { balance } = await tour.call<WalletResponse>('/v1/billing/wallet', { token: payer });
  for (; balance >= PRICE; balance -= PRICE) await tour.call<CallResponse>(`/v1/extensions/${appId}/call`, call);
  await tour.call(`/v1/extensions/${appId}/call`, { ...call, status: 402 });
  await tour.call('/v1/billing/wallet/history?limit=3', { token: payer });
  await tour.call('/v1/billing/usage', { token: payer });

  tour.step('The developer has earned a share and gets a payout');
  const { total_earnings: earned } = await tour.call<EarningsResponse>('/v1/developer/earnings', { token });
  if (earned < PAYOUT) throw new Error(`Of ${CREDITS} credits the developer earned ${earned}.`);
  await tour.call('/v1/admin/developer/tier', {
    method: 'POST',
    token: admin,
    body: { user_id: userId, tier: 'indie' },
  });
  const { id } = await tour.call<PayoutResponse>('/v1/developer/payouts/request', {
    method: 'POST',
    token,
    body: { amount_tokens: PAYOUT },
    status: 201,
  });
  await tour.call('/v1/admin/payouts/pending', { token: admin });
  await tour.call(`/v1/admin/payouts/${id}/approve`, { method: 'POST', token: admin, body: {} });
  await tour.call(`/v1/admin/payouts/${id}/paid`, {
    method: 'POST',
    token: admin,
    body: { reference: 'transfer 4711' },
  });
  await tour.call('/v1/developer/payouts', { token });
}

/** App with one function that always returns the same answer. */
const answers = (appId: string) => ({
  app_id: appId,
  version: '1.0.0',
  steps: [
    {
      id: 'answer',
      kind: 'function',
      action: 'answer',
      params: {
        description: 'Answers the question that was not asked.',
        steps: [{ id: 'answered', kind: 'control', action: 'return', params: { data: { answer: 42 } } }],
      },
    },
  ],
});
