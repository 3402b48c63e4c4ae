import type { RuleResponse } from '@platform/contracts';
import { columns, type RowOf } from '@platform/persistence';
import { AutomationRule } from './automation-rule.entity.js';

export const RULE_COLUMNS = columns(AutomationRule, [
  'id',
  'userId',
  'tenantId',
  'prompt',
  'interpretation',
  'status',
  'eventType',
  'schedule',
  'nextAt',
  'actions',
  'cooldownSeconds',
  'maxPerHour',
  'maxIterations',
  'notifyMode',
  'triggerCount',
  'successCount',
  'failCount',
  'lastError',
  'lastTriggered',
  'createdAt',
]);
export type RuleRow = RowOf<typeof RULE_COLUMNS>;

/** SQL for the `OriginKey` that led to the actions of the rule `r`; null if a person wrote them. */
export const KEY_OF_RULE = `CASE WHEN r.key_scopes IS NOT NULL
  THEN jsonb_build_object('id', r.api_key_id, 'others', coalesce(r.other_key_ids, '{}'), 'scopes', r.key_scopes) END`;

export const toRule = ({ event_type, schedule, ...row }: RuleRow): RuleResponse => ({
  id: row.id,
  user_id: row.user_id,
  tenant_id: row.tenant_id,
  prompt: row.prompt,
  interpretation: row.interpretation,
  status: row.status,
  trigger_filter: { event_type, schedule },
  actions: row.actions,
  cooldown_seconds: row.cooldown_seconds,
  max_per_hour: row.max_per_hour,
  max_iterations: row.max_iterations,
  notify_mode: row.notify_mode,
  trigger_count: row.trigger_count,
  success_count: row.success_count,
  fail_count: row.fail_count,
  last_error: row.last_error,
  last_triggered: row.last_triggered,
  next_at: row.next_at,
  created_at: row.created_at,
});
