import { DEFAULT_TENANT } from '@platform/contracts';
import { AccessErrors, userOf, type Caller } from '@platform/guards';
import { columns, type RowOf } from '@platform/persistence';
import type { EntityManager } from 'typeorm';
import { App } from './app.entity.js';
import { AppErrors } from './apps.errors.js';

/** Developer whose apps are accessible; null: the apps of all developers. */
export type DeveloperReach = string | null;

/**
 * Returns the developer whose apps the caller can access: for a user, the user; for a backend
 * without an acting user, `named` (a `user_id`), or null for the apps of all developers.
 *
 * @throws AppError 403 `other_user` if a user names another user.
 */
export function getDeveloperReach(caller: Caller, named?: string): DeveloperReach {
  const user = userOf(caller);
  if (user && named !== undefined && named !== user.userId) throw AccessErrors.otherUser();
  return user?.userId ?? named ?? null;
}

/** Name of the caller for records: the user id, or the name of a backend that acts for no user. */
export const getCallerName = (caller: Caller): string =>
  caller.kind === 'user' ? caller.userId : (caller.actingUser?.userId ?? caller.service);

const APP_COLUMNS = columns(App, ['appId', 'developerId', 'status', 'servedVersion', 'iconSvg', 'system'], 'a');

export interface LockedApp extends RowOf<typeof APP_COLUMNS> {
  /** Tenant of the developer, for the audit log. */
  tenant_id: string;
}

/**
 * Locks an app until the end of the transaction: no other transaction can deploy it or change the
 * served version. Take this lock before any other lock on rows of the app.
 *
 * @throws AppError 404 `app.not_found` if the app does not exist, or is not one of the developer's
 * apps.
 */
export async function lockAppForDeploy(em: EntityManager, appId: string, reach: DeveloperReach): Promise<LockedApp> {
  const [app] = await em.query<LockedApp[]>(
    `SELECT ${APP_COLUMNS}, coalesce(u.tenant_id, $3) AS tenant_id
     FROM apps a LEFT JOIN users u ON u.id = a.developer_id
     WHERE a.app_id = $1 AND ($2::text IS NULL OR a.developer_id = $2) FOR NO KEY UPDATE OF a`,
    [appId, reach, DEFAULT_TENANT],
  );
  if (!app) throw AppErrors.notFound();
  return app;
}
