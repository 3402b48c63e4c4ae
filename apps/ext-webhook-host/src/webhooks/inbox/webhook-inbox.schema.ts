import type { FeatureSchema } from '@platform/persistence';
import { StoredWebhookDelivery, WebhookInboxUsage } from './stored-webhook-delivery.entity.js';

export const webhookInboxSchema: FeatureSchema = { entities: [StoredWebhookDelivery, WebhookInboxUsage] };
