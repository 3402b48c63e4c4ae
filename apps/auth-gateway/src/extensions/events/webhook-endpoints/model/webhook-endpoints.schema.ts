import type { GatewayFeatureSchema } from '../../../../kernel/gateway-feature-schema.js';
import { sealedPreviousSecrets, sealedSecrets } from './endpoint-secrets.js';
import { WebhookEndpointCursor } from './webhook-endpoint-cursor.entity.js';
import { WebhookEndpointDeliveryEntity } from './webhook-endpoint-delivery.entity.js';
import { WebhookEndpointEntity } from './webhook-endpoint.entity.js';

export const webhookEndpointsSchema: GatewayFeatureSchema = {
  entities: [WebhookEndpointEntity, WebhookEndpointDeliveryEntity, WebhookEndpointCursor],
  sealed: [sealedSecrets, sealedPreviousSecrets],
};
