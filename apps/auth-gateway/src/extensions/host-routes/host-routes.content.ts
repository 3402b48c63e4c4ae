import { newId } from '@platform/platform';
import type { ContentPart } from '../../testing/content-part.js';

export const content: ContentPart = {
  async create({ gateway, tenantId, appId }) {
    await gateway.service.query(
      "INSERT INTO capability_denials (tenant_id, app_id, version, capability) VALUES ($1, $2, '1.0.0', $3)",
      [tenantId, appId, newId('text')],
    );
  },
};
