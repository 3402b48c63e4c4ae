import { ValidationFailed } from '@platform/platform';
import type { EntityManager } from 'typeorm';

/**
 * That an action may be reported of a function: of any version of the app, since what is reported may be older than what runs.
 *
 * @throws ValidationFailed as `app_id` and `tool_name` of the body.
 */
export async function assertReported(em: EntityManager, appId: string, name: string): Promise<void> {
  const [found] = await em.query<{ has_app: boolean; has_function: boolean }[]>(
    `SELECT EXISTS (SELECT FROM apps WHERE app_id = $1) AS has_app, EXISTS (SELECT FROM app_versions v
       WHERE v.app_id = $1 AND v.manifest -> 'tools' @> jsonb_build_array(jsonb_build_object('name', $2::text))) AS has_function`,
    [appId, name],
  );
  if (!found?.has_app) throw unknown('app_id', 'There is no such app.');
  if (!found.has_function) throw unknown('tool_name', 'The app has no such function, in none of its versions.');
}

const unknown = (key: string, msg: string) => new ValidationFailed([{ loc: ['body', key], msg, type: 'value_error' }]);
