import {
  call,
  type CreateWebhookEndpointRequest,
  type ReplayEventsRequest,
  type UpdateWebhookEndpointRequest,
  type WebhookEndpointDelivery,
} from '@platform/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from './client.js';

const ENDPOINTS = ['webhook-endpoints'];
const LOOK_AGAIN_MS = 2_000;
/** Poll interval for deliveries that are retried later. */
const LOOK_LATER_MS = 5_000;
const pathOf = (endpoint_id: string) => ({ params: { path: { endpoint_id } } });

/**
 * Makes a mutation of webhook endpoints. Its result shows at once; the lists are reloaded.
 *
 * @param gcTime milliseconds that the result stays cached.
 */
function useChange<Input, Answer>(mutationFn: (input: Input) => Promise<Answer>, gcTime?: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn,
    ...(gcTime !== undefined && { gcTime }),
    onSuccess: () => void queries.invalidateQueries({ queryKey: ENDPOINTS }),
  });
}

export const useWebhookEndpoints = () =>
  useQuery({ queryKey: ENDPOINTS, queryFn: async () => (await call(api.GET('/v1/webhook-endpoints'))).items });

export const useWebhookEndpoint = (id: string) =>
  useQuery({
    queryKey: [...ENDPOINTS, id],
    queryFn: () => call(api.GET('/v1/webhook-endpoints/{endpoint_id}', pathOf(id))),
  });

/** Creates a webhook endpoint. Not cached: the answer contains the secret. */
export const useCreateEndpoint = () =>
  useChange((body: CreateWebhookEndpointRequest) => call(api.POST('/v1/webhook-endpoints', { body })), 0);

export const useChangeEndpoint = (id: string) =>
  useChange((body: UpdateWebhookEndpointRequest) =>
    call(api.PATCH('/v1/webhook-endpoints/{endpoint_id}', { ...pathOf(id), body })),
  );

/** Gives a webhook endpoint a new secret. Not cached: the answer contains the secret. */
export const useRotateSecret = (id: string) =>
  useChange<void, { secret: string }>(
    () => call(api.POST('/v1/webhook-endpoints/{endpoint_id}/rotate-secret', pathOf(id))),
    0,
  );

/**
 * Deletes a webhook endpoint. Reloads only the list: the page of the deleted endpoint is still open
 * and must not load it again.
 */
export function useDeleteEndpoint(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => call(api.DELETE('/v1/webhook-endpoints/{endpoint_id}', pathOf(id))),
    onSuccess: () => void queries.invalidateQueries({ queryKey: ENDPOINTS, exact: true }),
  });
}

export const useTestEndpoint = (id: string) =>
  useChange<void, { id: string }>(() => call(api.POST('/v1/webhook-endpoints/{endpoint_id}/test', pathOf(id))));

export const useReplayEvents = (id: string) =>
  useChange((body: ReplayEventsRequest) =>
    call(api.POST('/v1/webhook-endpoints/{endpoint_id}/replay', { ...pathOf(id), body })),
  );

/**
 * A page of the deliveries of an endpoint. Polls while deliveries are pending: every 2 s before
 * their first try, otherwise every 5 s.
 */
export const useDeliveries = (id: string, limit: number, cursor: string | undefined) =>
  useQuery({
    queryKey: [...ENDPOINTS, id, 'deliveries', limit, cursor],
    queryFn: () =>
      call(
        api.GET('/v1/webhook-endpoints/{endpoint_id}/deliveries', {
          params: { path: { endpoint_id: id }, query: { limit, ...(cursor !== undefined && { cursor }) } },
        }),
      ),
    placeholderData: (before) => before,
    refetchInterval: ({ state: { data } }) => {
      const pending = data?.items.filter(({ status }) => status === 'pending') ?? [];
      if (pending.some(({ attempts }) => !attempts)) return LOOK_AGAIN_MS;
      return pending.length ? LOOK_LATER_MS : false;
    },
  });

const isTried = ({ status, attempts }: WebhookEndpointDelivery): boolean => status !== 'pending' || attempts > 0;

/**
 * Polls a delivery until its first try is over, then reloads its endpoint, whose status may have
 * changed.
 *
 * @param deliveryId undefined: no polling.
 */
export function useTriedDelivery(id: string, deliveryId: string | undefined) {
  const queries = useQueryClient();
  return useQuery({
    queryKey: [...ENDPOINTS, id, 'delivery', deliveryId],
    enabled: deliveryId !== undefined,
    queryFn: async () => {
      const delivery = await call(
        api.GET('/v1/webhook-endpoints/{endpoint_id}/deliveries/{delivery_id}', {
          params: { path: { endpoint_id: id, delivery_id: deliveryId as string } },
        }),
      );
      if (isTried(delivery)) void queries.invalidateQueries({ queryKey: [...ENDPOINTS, id], exact: true });
      return delivery;
    },
    refetchInterval: ({ state: { data } }) => (data && isTried(data) ? false : LOOK_AGAIN_MS / 2),
  });
}

export const useReplayDelivery = (id: string) =>
  useChange((delivery_id: string) =>
    call(
      api.POST('/v1/webhook-endpoints/{endpoint_id}/deliveries/{delivery_id}/replay', {
        params: { path: { endpoint_id: id, delivery_id } },
      }),
    ),
  );
