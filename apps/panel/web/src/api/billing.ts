import {
  call,
  type PayoutRequestCreate,
  type UpdatePayoutDestinationRequest,
  type UpdateSpendingRequest,
} from '@platform/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from './client.js';

const SPENDING = ['spending'];
const EARNINGS = ['earnings'];
const PAYOUTS = ['payouts'];
/** Number of entries that pages show. The command line and the API have the rest. */
const NEWEST = { limit: 50 };

export const useWallet = () => useQuery({ queryKey: ['wallet'], queryFn: () => call(api.GET('/v1/billing/wallet')) });

export const useWalletHistory = () =>
  useQuery({
    queryKey: ['wallet', 'history'],
    queryFn: () => call(api.GET('/v1/billing/wallet/history', { params: { query: NEWEST } })),
  });

export const useUsage = () => useQuery({ queryKey: ['usage'], queryFn: () => call(api.GET('/v1/billing/usage')) });

export const useSpending = () => useQuery({ queryKey: SPENDING, queryFn: () => call(api.GET('/v1/me/spending')) });

export function useChangeSpending() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: UpdateSpendingRequest) => call(api.PUT('/v1/me/spending', { body })),
    onSuccess: (spending) => queries.setQueryData(SPENDING, spending),
  });
}

/**
 * Earnings of the user. Fails with the code `developer.not_registered` if the user is not a
 * developer.
 */
export const useEarnings = () =>
  useQuery({ queryKey: EARNINGS, queryFn: () => call(api.GET('/v1/developer/earnings')), retry: false });

export const usePayouts = () =>
  useQuery({ queryKey: PAYOUTS, queryFn: () => call(api.GET('/v1/developer/payouts', { params: { query: NEWEST } })) });

export function useRequestPayout() {
  const queries = useQueryClient();
  return useMutation({
    /** @param key the same for each retry of a request, so that only one payout is requested. */
    mutationFn: ({ key, body }: { key: string; body: PayoutRequestCreate }) =>
      call(api.POST('/v1/developer/payouts/request', { body, headers: { 'Idempotency-Key': key } })),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: EARNINGS });
      void queries.invalidateQueries({ queryKey: PAYOUTS });
    },
  });
}

const DESTINATION = ['payout-destination'];

export const usePayoutDestination = () =>
  useQuery({ queryKey: DESTINATION, queryFn: () => call(api.GET('/v1/developer/payout-destination')) });

export function useChangePayoutDestination() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: UpdatePayoutDestinationRequest) => call(api.PUT('/v1/developer/payout-destination', { body })),
    // Not cached: the request contains a password.
    gcTime: 0,
    onSuccess: (destination) => queries.setQueryData(DESTINATION, destination),
  });
}
