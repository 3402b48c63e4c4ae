import { DEFAULT_TENANT } from '@platform/contracts';
import { AccessErrors, userOf, type Caller } from '@platform/guards';
import { columns, type RowOf } from '@platform/persistence';
import type { EntityManager } from 'typeorm';
import { App } from './app.entity.js';
import { AppErrors } from './apps.errors.js';

/** How far somebody reaches: to the apps of one developer, or with null to all. */
export type DeveloperReach = string | null;

/**
 * A trusted backend without an acting user reaches every app; `named` (a `user_id`) narrows it to those of one developer.
 *
 * @throws AppError 403 when a user names somebody else.
 */
export function developerReachOf(caller: Caller, named?: string): DeveloperReach {
  const user = userOf(caller);
  if (user && named !== undefined && named !== user.userId) throw AccessErrors.otherUser();
  return user?.userId ?? named ?? null;
}

/** For the record: the user, or the trusted backend that acts for nobody. */
export const nameOf = (caller: Caller): string => (caller.kind === 'user' ? caller.userId : (caller.actingUser?.userId ?? caller.service));

const OF_APP = columns(App, ['appId', 'developerId', 'status', 'servedVersion', 'iconSvg', 'system'], 'a');

export interface LockedApp extends RowOf<typeof OF_APP> {
  /** Of the developer, for the audit log. */
  tenant_id: string;
}

/**
 * Until the end of the transaction nobody else deploys the app or moves what it serves. Take it before any other lock on rows of the app.
 *
 * @throws AppError 404 when there is no such app, or it is somebody else's.
 */
export async function lockAppForDeploy(em: EntityManager, appId: string, reach: DeveloperReach): Promise<LockedApp> {
  const [app] = await em.query<LockedApp[]>(
    `SELECT ${OF_APP}, coalesce(u.tenant_id, $3) AS tenant_id
     FROM apps a LEFT JOIN users u ON u.id = a.developer_id
     WHERE a.app_id = $1 AND ($2::text IS NULL OR a.developer_id = $2) FOR NO KEY UPDATE OF a`,
    [appId, reach, DEFAULT_TENANT],
  );
  if (!app) throw AppErrors.notFound();
  return app;
}
