import type { UserCaller } from '@platform/guards';
import { queryPrepared } from '@platform/persistence';
import type { DataSource } from 'typeorm';
import { AppErrors } from '../model/apps.errors.js';

/**
 * Checks that the app belongs to the calling developer.
 *
 * @throws AppError 404 `app.not_found` if there is no such app, or it belongs to another developer.
 */
export async function assertOwnApp(dataSource: DataSource, { userId }: UserCaller, appId: string): Promise<void> {
  const [app] = await queryPrepared(dataSource, 'SELECT 1 FROM apps WHERE app_id = $1 AND developer_id = $2', [
    appId,
    userId,
  ]);
  if (!app) throw AppErrors.notFound();
}
