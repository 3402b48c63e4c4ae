import { newId } from '@platform/platform';
import { kind, type ContentPart } from '../../testing/content-part.js';
import { UserNotificationsService } from './user-notifications.service.js';

export const content: ContentPart = {
  kinds: { notification: kind('ntf', ['ids']) },
  bodies: { 'POST /v1/me/notifications/read': () => ({ ids: [] }) },
  async create(content) {
    const { gateway, tenantId: tenant_id, appId: app_id } = content;
    for (const { id: user_id } of content.people) {
      const message = {
        app_id,
        user_id,
        tenant_id,
        message: newId('text'),
        channel: 'in_app',
        priority: 'normal',
      } as const;
      await gateway.service.app.get(UserNotificationsService).sendNotification(message);
      const told = await gateway.service.query<{ id: string }>('SELECT id FROM notifications WHERE user_id = $1', [
        user_id,
      ]);
      content.idsOf('notification').push(...told.map(({ id }) => id));
    }
  },
};
