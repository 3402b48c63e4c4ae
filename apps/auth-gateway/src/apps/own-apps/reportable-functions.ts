import { ValidationFailed } from '@platform/platform';
import type { EntityManager } from 'typeorm';

/**
 * Checks that the app has a function, in any of its versions, so that an action (a call) of it can
 * be reported. A reported action can be older than the served version.
 *
 * @throws ValidationFailed for `app_id` of the body if there is no such app, for `tool_name` if
 * none of its versions has the function.
 */
export async function assertFunctionReportable(em: EntityManager, appId: string, name: string): Promise<void> {
  const [found] = await em.query<{ has_app: boolean; has_function: boolean }[]>(
    `SELECT EXISTS (SELECT FROM apps WHERE app_id = $1) AS has_app, EXISTS (SELECT FROM app_versions v
       WHERE v.app_id = $1 AND v.manifest -> 'tools' @> jsonb_build_array(jsonb_build_object('name', $2::text))) AS has_function`,
    [appId, name],
  );
  if (!found?.has_app) throw unknown('app_id', 'There is no such app.');
  if (!found.has_function) throw unknown('tool_name', 'No version of the app has this function.');
}

const unknown = (key: string, msg: string) => new ValidationFailed([{ loc: ['body', key], msg, type: 'value_error' }]);
