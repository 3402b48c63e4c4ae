import { newId } from '@platform/platform';
import { kind, type ContentPart } from '../../testing/content-part.js';

const CONFIRMATION = kind('cnf', ['confirmation_id']);

export const content: ContentPart = {
  kinds: { confirmation: CONFIRMATION },
  async create(content) {
    for (const { id: userId } of content.people) {
      const id = CONFIRMATION.unknown();
      await content.gateway.service.query(
        `INSERT INTO confirmations (id, user_id, tenant_id, app_id, function, action_type, price, params, summary, expires_at)
         VALUES ($1, $2, $3, $4, 'purge', 'destructive', 0, '{}', $5, now() + interval '1 hour')`,
        [id, userId, content.tenantId, content.appId, newId('text')],
      );
      content.idsOf('confirmation').push(id);
    }
  },
};
