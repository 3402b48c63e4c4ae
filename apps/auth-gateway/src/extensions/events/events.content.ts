import { newId } from '@platform/platform';
import type { ContentPart } from '../../testing/content-part.js';

export const content: ContentPart = {
  async create({ gateway, tenantId, people, appId }) {
    for (const { id } of people) {
      await gateway.service.query(
        `INSERT INTO platform_events (id, tenant_id, user_id, source_type, source, type, payload, payload_length, hop, at)
         VALUES (gen_random_uuid(), $1, $2, 'extension', $3, 'notes.created', $4, 2, 0, now())`,
        [tenantId, id, appId, { text: newId('text') }],
      );
    }
  },
};
