import { newId } from '@platform/platform';
import type { GatewayTest } from './gateway.js';

/** Who called, and the code where that failed. */
type Call = [user: string, code: string | null];

/** One call each of this many people, who are others for another `name`. */
export const people = (count: number, code: string | null, name = 'p'): Call[] =>
  Array.from({ length: count }, (_none, at): Call => [`${name}${at}`, code]);

/** Puts calls of an app straight into the database, the first as the oldest. */
export async function recordCalls({ service }: GatewayTest, appId: string, calls: readonly Call[], ago = '1 minute'): Promise<void> {
  await service.query(
    `INSERT INTO actions (id, trace_id, user_id, tenant_id, app_id, function, action_type, status, error_code, created_at)
     SELECT c ->> 2, c ->> 2, c ->> 0, 'default', $1, 'search', 'read', CASE WHEN c ->> 1 IS NULL THEN 'success' ELSE 'error' END, c ->> 1,
       now() - $3::interval + n * interval '1 ms'
     FROM jsonb_array_elements($2) WITH ORDINALITY AS calls (c, n)`,
    [appId, JSON.stringify(calls.map(([user, code]) => [user, code, newId('act')])), ago],
  );
}
