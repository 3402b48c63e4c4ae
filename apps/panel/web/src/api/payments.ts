import {
  call,
  type AutoTopUpUpdate,
  type BillingProfile,
  type BillingProfileUpdate,
  type TopUpRequest,
  type UserResponse,
} from '@platform/client';
import { useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { api } from './client.js';
import { SESSION } from './session.js';

const CARDS = ['cards'];
const AUTO_TOPUP = ['auto-topup'];
const PAYMENTS = ['payments'];
const INVOICES = ['invoices'];
const NEWEST = { limit: 50 };

const CHANGED_BY_PAYMENTS = ['wallet', 'usage', 'subscription', 'auto-topup', 'cards', 'payments', 'invoices'];

/**
 * Reloads all data that a payment changes. Resolves when visible data is reloaded, or has failed
 * to.
 */
export async function forgetPaid(queries: QueryClient): Promise<void> {
  await Promise.all(CHANGED_BY_PAYMENTS.map((name) => queries.invalidateQueries({ queryKey: [name] })));
}

/** A request with an `Idempotency-Key`: retries of the same request have the same key. */
export interface Keyed<Body> {
  key: string;
  body: Body;
}

/** Request options with the `Idempotency-Key` header. */
export const keyed = (key: string) => ({ headers: { 'Idempotency-Key': key } });

export const useTopupOffer = () =>
  useQuery({ queryKey: ['topup-offer'], queryFn: () => call(api.GET('/v1/billing/topup-config')), staleTime: 300_000 });

export function useTopup() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ key, body }: Keyed<TopUpRequest>) => call(api.POST('/v1/billing/topup', { body, ...keyed(key) })),
    // Not cached: the answer contains the secret of the payment.
    gcTime: 0,
    onSuccess: ({ succeeded }) => void (succeeded && forgetPaid(queries)),
  });
}

export const useAutoTopup = () =>
  useQuery({ queryKey: AUTO_TOPUP, queryFn: () => call(api.GET('/v1/billing/auto-topup')) });

export function useChangeAutoTopup() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: AutoTopUpUpdate) => call(api.PUT('/v1/billing/auto-topup', { body })),
    onSuccess: (settings) => queries.setQueryData(AUTO_TOPUP, settings),
  });
}

export const useCards = () =>
  useQuery({ queryKey: CARDS, queryFn: () => call(api.GET('/v1/billing/payment-methods')) });

export const useAddCard = () =>
  useMutation({
    mutationFn: (key: string) => call(api.POST('/v1/billing/payment-methods/setup', keyed(key))),
    gcTime: 0,
  });

export function useMakeDefault() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (pm_id: string) =>
      call(api.PUT('/v1/billing/payment-methods/{pm_id}/default', { params: { path: { pm_id } } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: CARDS }),
  });
}

export function useRemoveCard() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (pm_id: string) =>
      call(api.DELETE('/v1/billing/payment-methods/{pm_id}', { params: { path: { pm_id } } })),
    onSuccess: async () => {
      void queries.invalidateQueries({ queryKey: AUTO_TOPUP });
      await queries.invalidateQueries({ queryKey: CARDS });
    },
  });
}

/**
 * A page of the user's payments, newest first. Loads one entry more than `limit`, to know if there
 * are more.
 */
export const usePayments = (limit: number, offset: number) =>
  useQuery({
    queryKey: [...PAYMENTS, limit, offset],
    queryFn: () => call(api.GET('/v1/billing/payments', { params: { query: { limit: limit + 1, offset } } })),
    placeholderData: (before) => before,
  });

/**
 * Continues a payment that waits for its user. The result has the secret to pay it; null if it was
 * paid or ended in the meantime.
 */
export function useContinuePayment() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (payment_intent_id: string) =>
      call(api.POST('/v1/billing/payments/{payment_intent_id}/continue', { params: { path: { payment_intent_id } } })),
    gcTime: 0,
    // The payment was paid or ended in the meantime.
    onSuccess: ({ client_secret: secret }) => void (secret === null && forgetPaid(queries)),
  });
}

export const useInvoices = () =>
  useQuery({ queryKey: INVOICES, queryFn: () => call(api.GET('/v1/billing/invoices', { params: { query: NEWEST } })) });

/** An invoice or credit note. Cached without limit, since it never changes. */
export const useInvoice = (invoice_id: string) =>
  useQuery({
    queryKey: [...INVOICES, invoice_id],
    queryFn: () => call(api.GET('/v1/billing/invoices/{invoice_id}', { params: { path: { invoice_id } } })),
    staleTime: Infinity,
  });

/**
 * The user's billing profile; empty if they have none. It is stored in attributes that only the
 * user can see.
 */
export const billingProfileOf = ({ attributes }: UserResponse): Partial<BillingProfile> =>
  (attributes['billing'] as Partial<BillingProfile> | undefined) ?? {};

export function useChangeProfile() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: BillingProfileUpdate) => call(api.PUT('/v1/billing/profile', { body })),
    onSuccess: (billing) =>
      queries.setQueryData<UserResponse | null>(
        SESSION,
        (user) => user && { ...user, attributes: { ...user.attributes, billing } },
      ),
  });
}
