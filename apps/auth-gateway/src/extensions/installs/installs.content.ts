import { DataSource } from 'typeorm';
import { bodyOfSuccess, type ContentPart } from '../../testing/content-part.js';
import { storeNarrowing } from './install-narrowings.js';

export const content: ContentPart = {
  async create({ gateway, tenantId, ordinary, adminClient, appId }) {
    const byKey = { kind: 'user', userId: ordinary.id, tenantId, role: 'user', scopes: [], narrowedTo: [] } as const;
    await storeNarrowing(gateway.service.app.get(DataSource).manager, byKey, appId);
    await bodyOfSuccess(adminClient.post(`/v1/users/${ordinary.id}/extensions/disable`, { app_id: appId }));
  },
};
