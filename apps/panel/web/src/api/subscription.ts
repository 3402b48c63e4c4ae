import { call, type ChangePlanRequest, type CheckoutRequest } from '@platform/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from './client.js';
import { forgetPaid, keyed, type Keyed } from './payments.js';

const SUBSCRIPTION = ['subscription'];

export const usePlans = () =>
  useQuery({ queryKey: ['plans'], queryFn: () => call(api.GET('/v1/billing/plans')), staleTime: 300_000 });

export const useSubscription = () =>
  useQuery({ queryKey: SUBSCRIPTION, queryFn: () => call(api.GET('/v1/billing/subscription')) });

/**
 * Starts the first month of a paid plan. Not cached: the answer contains the secret of the payment.
 */
export const useCheckout = () =>
  useMutation({
    mutationFn: ({ key, body }: Keyed<CheckoutRequest>) =>
      call(api.POST('/v1/billing/checkout', { body, ...keyed(key) })),
    gcTime: 0,
  });

/**
 * Cost and date of a change to this plan. Fetched each time, since the cost decreases every second.
 */
export const usePlanChangePreview = (plan_id: string) =>
  useQuery({
    queryKey: ['plan-change', plan_id],
    queryFn: () => call(api.POST('/v1/billing/change-plan/preview', { body: { plan_id, period: 'monthly' } })),
    gcTime: 0,
    retry: false,
  });

export function useChangePlan() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ key, body }: Keyed<ChangePlanRequest>) =>
      call(api.POST('/v1/billing/change-plan', { body, ...keyed(key) })),
    gcTime: 0,
    onSuccess: ({ requires_action: isUnpaid }) => void (isUnpaid || forgetPaid(queries)),
  });
}

export function useCancelPlan() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (key: string) => call(api.POST('/v1/billing/cancel', keyed(key))),
    onSuccess: (subscription) => {
      queries.setQueryData(SUBSCRIPTION, subscription);
      // A plan with an unpaid month ends at once.
      void forgetPaid(queries);
    },
  });
}

export function useResumePlan() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (key: string) => call(api.POST('/v1/billing/resume', keyed(key))),
    onSuccess: (subscription) => queries.setQueryData(SUBSCRIPTION, subscription),
  });
}

export function useRenewPlan() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (key: string) => call(api.POST('/v1/billing/renew', keyed(key))),
    gcTime: 0,
    onSuccess: ({ requires_action: isUnpaid }) => void (isUnpaid || forgetPaid(queries)),
  });
}
