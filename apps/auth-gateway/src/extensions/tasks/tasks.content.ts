import { newId } from '@platform/platform';
import { kind, type ContentPart } from '../../testing/content-part.js';

const TASK = kind('tsk', ['task_id']);

export const content: ContentPart = {
  kinds: { task: TASK },
  async create(content) {
    for (const { id: userId } of content.people) {
      const id = TASK.unknown();
      await content.gateway.service.query(
        `INSERT INTO tasks (id, user_id, tenant_id, app_id, function, params, is_repeatable, slot, message)
         VALUES ($1, $2, $3, $4, 'purge', '{}', false, 1, $5)`,
        [id, userId, content.tenantId, content.appId, newId('text')],
      );
      content.idsOf('task').push(id);
    }
  },
};
