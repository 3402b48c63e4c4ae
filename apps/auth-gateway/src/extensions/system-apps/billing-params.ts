import type { ChangePlanRequest } from '@platform/contracts';

export const PLAN_PARAMS = {
  type: 'object',
  properties: { plan_id: { type: 'string', maxLength: 63, description: 'ID of a plan from `list_plans`.' } },
  required: ['plan_id'],
};

/**
 * Reads the requested plan from the params. The period is always a month: plans are sold by the
 * month.
 */
export const parsePlan = ({ plan_id: id }: Record<string, unknown>): ChangePlanRequest => ({
  plan_id: String(id),
  period: 'monthly',
});
