import { DataSource } from 'typeorm';
import { made, type ContentPart } from '../../testing/content-part.js';
import { noteNarrowing } from './install-narrowings.js';

export const content: ContentPart = {
  async make({ gateway, tenantId, ordinary, adminClient, appId }) {
    const byKey = { kind: 'user', userId: ordinary.id, tenantId, role: 'user', scopes: [], narrowedTo: [] } as const;
    await noteNarrowing(gateway.service.app.get(DataSource).manager, byKey, appId);
    await made(adminClient.post(`/v1/users/${ordinary.id}/extensions/disable`, { app_id: appId }));
  },
};
