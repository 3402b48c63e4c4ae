import { ApiError, call, isTransient } from '@platform/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { forgetPayments, readPaymentMade, type PaymentMade, type PaymentPurpose } from '../lib/payment-handover.js';
import { api } from './client.js';
import { forgetPaid } from './payments.js';
import { hasCode } from './problem.js';

/**
 * State of a payment after `/pay`:
 * - `none`: no payment was made
 * - `waiting`: the platform has not been notified yet
 * - `late`: the wait took too long; the payment continues without this page
 * - `done`: the purchase has arrived
 * - `failed`: the payment failed for good
 */
export type Settling = { phase: 'none' | 'waiting' | 'late' | 'done' } | { phase: 'failed'; why: string };

type Answer = { state: 'waiting' | 'done' } | { state: 'failed'; why: string };
type Look = Answer & { looks: number };

/**
 * Pauses between polls. The provider usually notifies the platform within seconds; polling ends
 * after 40 s.
 */
const PAUSES_MS = [500, 1_000, 1_000, 2_000, 2_500, 3_000, 5_000, 5_000, 10_000, 10_000];
/** A continued payment may not be among the newest. */
const LOOKED_AT = { limit: 100 };

/**
 * Poll function for each purpose. `topup/confirm` is not used: it is for backends with access to
 * the wallets of all users, which the panel must not have.
 */
const ASK: Record<PaymentPurpose, (made: PaymentMade) => Promise<Answer>> = {
  topup: inPayments,
  left: inPayments,
  plan: async ({ intentId }) => {
    const { status } = await call(api.POST('/v1/billing/checkout/confirm', { body: { payment_intent_id: intentId } }));
    return { state: status === 'active' ? 'done' : 'waiting' };
  },
  card: async ({ known }) => {
    const cards = await call(api.GET('/v1/billing/payment-methods'));
    return { state: cards.some(({ id }) => !known.includes(id)) ? 'done' : 'waiting' };
  },
};

async function inPayments({ intentId }: PaymentMade): Promise<Answer> {
  const payments = await call(api.GET('/v1/billing/payments', { params: { query: LOOKED_AT } }));
  const payment = payments.find(({ payment_intent_id }) => payment_intent_id === intentId);
  if (payment?.status === 'failed')
    return { state: 'failed', why: payment.failure_reason ?? 'The payment failed. Nothing was paid.' };
  return { state: payment && payment.status !== 'pending' ? 'done' : 'waiting' };
}

/**
 * Polls after `/pay` until the platform knows the result of a payment, for at most 40 s; after
 * that, the state is `late`. Reloads all affected data when the result is known. With the result or
 * `late`, the tab forgets the payment. Returns `none` if this tab has made no payment for
 * `purpose`.
 */
export function useSettling(purpose: PaymentPurpose): Settling {
  const queries = useQueryClient();
  const [made] = useState(() => readPaymentMade(purpose));
  const queryKey = ['settling', made?.intentId];
  const { data } = useQuery<Look>({
    queryKey,
    enabled: made !== null,
    queryFn: async () => {
      if (!made) throw new Error('Nothing was paid.');
      const looks = (queries.getQueryData<Look>(queryKey)?.looks ?? 0) + 1;
      const answer = await ASK[purpose](made).catch(answerOf);
      // All data is reloaded first, so that the message never appears next to old data.
      if (answer.state !== 'waiting') await forgetPaid(queries);
      return { ...answer, looks };
    },
    retry: false,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    refetchIntervalInBackground: true,
    refetchInterval: ({ state: { data: look } }) =>
      look?.state === 'waiting' ? (PAUSES_MS[look.looks - 1] ?? false) : false,
  });
  const settling = settlingOf(made, data);
  const isOver = !['none', 'waiting'].includes(settling.phase);
  useEffect(() => {
    if (isOver) forgetPayments();
  }, [isOver]);
  return settling;
}

function settlingOf(made: PaymentMade | null, look: Look | undefined): Settling {
  if (!made) return { phase: 'none' };
  if (look?.state === 'failed') return { phase: 'failed', why: look.why };
  if (look?.state === 'done') return { phase: 'done' };
  return { phase: (look?.looks ?? 0) > PAUSES_MS.length ? 'late' : 'waiting' };
}

/**
 * Turns the error of a poll into a state of the payment: a temporary failure is polled again, any
 * other one means that the payment failed.
 *
 * @throws the error if the session has ended: the user must sign in first.
 */
function answerOf(error: unknown): Answer {
  if (hasCode(error, 'not_signed_in')) throw error;
  if (isTransient(error)) return { state: 'waiting' };
  return { state: 'failed', why: error instanceof ApiError ? error.message : 'The payment failed. Nothing was paid.' };
}
