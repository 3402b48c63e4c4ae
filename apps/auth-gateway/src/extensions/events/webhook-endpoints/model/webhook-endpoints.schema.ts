import type { GatewayFeatureSchema } from '../../../../kernel/gateway-feature-schema.js';
import { sealedPreviousSecrets, sealedSecrets } from './endpoint-secrets.js';
import { WebhookEndpoints1764670000100 } from './migrations/1764670000100-webhook-endpoints.js';
import { WebhookEndpointCursor } from './webhook-endpoint-cursor.entity.js';
import { WebhookEndpointDeliveryEntity } from './webhook-endpoint-delivery.entity.js';
import { WebhookEndpointEntity } from './webhook-endpoint.entity.js';

export const webhookEndpointsSchema: GatewayFeatureSchema = {
  entities: [WebhookEndpointEntity, WebhookEndpointDeliveryEntity, WebhookEndpointCursor],
  migrations: [WebhookEndpoints1764670000100],
  sealed: [sealedSecrets, sealedPreviousSecrets],
};
