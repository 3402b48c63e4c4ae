import { newId } from '@platform/platform';
import { kind, bodyOfSuccess, type ContentPart } from '../../testing/content-part.js';

const ACTION = kind('act', ['trace_id']);

export const content: ContentPart = {
  kinds: { action: ACTION },
  async create(content) {
    const record = { app_id: content.appId, tool_name: content.tool, action_type: 'write', status: 'success' };
    for (const { id } of content.people) {
      const trace_id = ACTION.unknown();
      await bodyOfSuccess(
        content.gateway
          .backend()
          .post('/v1/actions', { ...record, message_preview: newId('text'), trace_id, user_id: id }),
      );
      content.idsOf('action').push(trace_id);
    }
  },
};
