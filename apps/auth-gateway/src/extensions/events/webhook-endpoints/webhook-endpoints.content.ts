import type { WebhookEndpointWithSecret } from '@platform/contracts';
import { newId } from '@platform/platform';
import { kind, type ContentPart } from '../../../testing/content-part.js';

export const content: ContentPart = {
  kinds: { webhookEndpoint: kind('whe', ['endpoint_id']) },
  async create(content) {
    const host = `${newId('host').replace('_', '-')}.example.com`;
    const endpoint = {
      url: `https://${host}/`,
      description: newId('text'),
      event_types: ['webhook_endpoint.disabled'],
    };
    const { id } = await content.post<WebhookEndpointWithSecret>('webhook-endpoints', endpoint);
    const delivery = newId('whd');
    await content.gateway.service.query(
      `INSERT INTO webhook_endpoint_deliveries (id, tenant_id, endpoint_id, event_type, event_tenant_id, payload, event_at, status, next_attempt_at, last_error, finished_at)
       VALUES ($1, $2, $3, 'webhook_endpoint.test', $2, '{}', now(), 'failed', NULL, 'connection', now())`,
      [delivery, content.tenantId, id],
    );
    content.idsOf('webhookEndpoint').push(id);
    content.setPathValue('/v1/webhook-endpoints/', 'delivery_id', delivery);
    content.texts.push(host);
  },
};
