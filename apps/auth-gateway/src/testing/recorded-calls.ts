import { newId } from '@platform/platform';
import type { GatewayTest } from './gateway-test.js';

/** Caller, and the error code of the call; null if it succeeded. */
type Call = [user: string, code: string | null];

/** Calls of `count` users, one each. Another `name` gives other users. */
export const callsOfUsers = (count: number, code: string | null, name = 'p'): Call[] =>
  Array.from({ length: count }, (_none, at): Call => [`${name}${at}`, code]);

/** Inserts calls of an app into the database, oldest first. */
export async function recordCalls(
  { service }: GatewayTest,
  appId: string,
  calls: readonly Call[],
  ago = '1 minute',
): Promise<void> {
  await service.query(
    `INSERT INTO actions (id, trace_id, user_id, tenant_id, app_id, function, action_type, status, error_code, created_at)
     SELECT c ->> 2, c ->> 2, c ->> 0, 'default', $1, 'search', 'read', CASE WHEN c ->> 1 IS NULL THEN 'success' ELSE 'error' END, c ->> 1,
       now() - $3::interval + n * interval '1 ms'
     FROM jsonb_array_elements($2) WITH ORDINALITY AS calls (c, n)`,
    [appId, JSON.stringify(calls.map(([user, code]) => [user, code, newId('act')])), ago],
  );
}
