import type { WebhookEndpoint, WebhookEndpointDelivery, WebhookEndpointDeliveryDetail } from '@platform/contracts';
import { columns, type RowOf } from '@platform/persistence';
import { WebhookEndpointDeliveryEntity } from './webhook-endpoint-delivery.entity.js';
import { WebhookEndpointEntity } from './webhook-endpoint.entity.js';

const ENDPOINT = [
  'id',
  'tenantId',
  'url',
  'description',
  'eventTypes',
  'allTenants',
  'status',
  'disabledReason',
  'failingSince',
  'previousSecretUntil',
  'createdBy',
  'createdAt',
  'updatedAt',
] as const;

export const ENDPOINT_COLUMNS = columns(WebhookEndpointEntity, ENDPOINT);
export type EndpointRow = RowOf<typeof ENDPOINT_COLUMNS>;

export const toEndpoint = (row: EndpointRow) =>
  ({
    id: row.id,
    tenant_id: row.tenant_id,
    url: row.url,
    description: row.description,
    event_types: row.event_types,
    all_tenants: row.all_tenants,
    status: row.status,
    disabled_reason: row.disabled_reason,
    failing_since: row.failing_since?.toISOString() ?? null,
    previous_secret_until:
      row.previous_secret_until && row.previous_secret_until > new Date()
        ? row.previous_secret_until.toISOString()
        : null,
    created_by: row.created_by,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }) satisfies WebhookEndpoint;

const DELIVERY = [
  'id',
  'endpointId',
  'eventId',
  'eventType',
  'eventTenantId',
  'status',
  'attempts',
  'nextAttemptAt',
  'lastStatusCode',
  'lastError',
  'createdAt',
  'finishedAt',
] as const;

export const DELIVERY_COLUMNS = columns(WebhookEndpointDeliveryEntity, DELIVERY);
export type DeliveryRow = RowOf<typeof DELIVERY_COLUMNS>;

export const toDelivery = (row: DeliveryRow) =>
  ({
    id: row.id,
    endpoint_id: row.endpoint_id,
    message_id: messageIdOf(row),
    event_id: row.event_id,
    event_type: row.event_type,
    tenant_id: row.event_tenant_id,
    status: row.status,
    attempts: row.attempts,
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
    last_status_code: row.last_status_code,
    last_error: row.last_error,
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
  }) satisfies WebhookEndpointDelivery;

/** Columns that the posted message needs. */
export const POSTED_COLUMNS = columns(
  WebhookEndpointDeliveryEntity,
  ['id', 'eventId', 'eventType', 'eventTenantId', 'userId', 'payload', 'eventAt'],
  'd',
);
export type PostedRow = RowOf<typeof POSTED_COLUMNS>;

export const DETAIL_COLUMNS = columns(WebhookEndpointDeliveryEntity, [...DELIVERY, 'userId', 'payload', 'eventAt']);
export type DetailRow = RowOf<typeof DETAIL_COLUMNS>;

/**
 * ID of the message that a delivery posts: that of its event, or of the delivery for a test. It
 * stays the same for all attempts, so that a receiver can recognise a repeated message.
 */
export const messageIdOf = ({ id, event_id }: Pick<PostedRow, 'id' | 'event_id'>): string => event_id ?? id;

/** The posted body. The order of the fields never changes, so all attempts send the same bytes. */
export const bodyOf = (row: PostedRow): Record<string, unknown> => ({
  type: row.event_type,
  timestamp: row.event_at.toISOString(),
  data: row.payload,
  event_id: row.event_id,
  tenant_id: row.event_tenant_id,
  user_id: row.user_id,
});

export const toDeliveryDetail = (row: DetailRow): WebhookEndpointDeliveryDetail => ({
  ...toDelivery(row),
  payload: bodyOf(row),
});
