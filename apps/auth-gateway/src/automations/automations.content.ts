import { newId } from '@platform/platform';
import { numberedKind, type ContentPart } from '../testing/content-part.js';

export const content: ContentPart = {
  kinds: { rule: numberedKind('automation_rules', ['rule_id']) },
  bodies: { 'POST /v1/automations': () => ({ prompt: 'every day at 09:00: message "x"' }) },
  async create(content) {
    for (const { id: userId } of content.people) {
      const prompt = newId('text');
      const [rule] = await content.gateway.service.query<{ id: number }>(
        `INSERT INTO automation_rules (user_id, tenant_id, prompt, interpretation, event_type, actions, scopes, cooldown_seconds, max_per_hour,
           max_iterations, notify_mode)
         VALUES ($1, $2, $3, $3, 'email.received', '[{"message":"x"}]', '{}', 60, 10, 0, 'off') RETURNING id`,
        [userId, content.tenantId, prompt],
      );
      content.idsOf('rule').push(String(rule?.id));
      content.texts.push(prompt);
    }
  },
};
