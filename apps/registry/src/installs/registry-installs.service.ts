import { Injectable } from '@nestjs/common';
import type { ListInstallsQuery, RegisterInstallRequest, RegistryInstall, RemovedInstall } from '@platform/contracts';
import { keyOf, userOf, type Caller } from '@platform/guards';
import { columns, onViolation, type RowOf } from '@platform/persistence';
import { DataSource } from 'typeorm';
import { assertPlatform, reachableUser } from '../access/reach.js';
import { AppErrors } from '../apps/apps.errors.js';
import { RegisteredInstall } from './registered-install.entity.js';
import { InstallErrors } from './installs.errors.js';

const MAX_INSTALLS_PER_USER = 200;

const INSTALLED_SINCE = columns(RegisteredInstall, ['userId', 'appId', 'installedAt']);
const STATE = columns(RegisteredInstall, ['config', 'changedBy', 'revision']);
const INSTALL = `${INSTALLED_SINCE}, 'installed' AS status, ${STATE}`;
type InstallRow = RowOf<typeof INSTALLED_SINCE> & RowOf<typeof STATE> & { status: 'installed' };

const OF_WHOM = columns(RegisteredInstall, ['userId', 'appId']);
const REMOVAL = columns(RegisteredInstall, ['removedAt', 'changedBy', 'revision']);
const REMOVED = `${OF_WHOM}, 'removed' AS status, ${REMOVAL}`;
type RemovedRow = RowOf<typeof OF_WHOM> & RowOf<typeof REMOVAL> & { status: 'removed'; removed_at: Date };

@Injectable()
export class RegistryInstallsService {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Apps that a user has installed, in the order of installation.
   *
   * @throws AppError 403 `app.other_user` if a caller who does not reach all apps names another
   * user.
   */
  async listInstalls(caller: Caller, userId: string, { limit, offset }: ListInstallsQuery): Promise<RegistryInstall[]> {
    const rows = await this.dataSource.query<InstallRow[]>(
      `SELECT ${INSTALL} FROM installs WHERE user_id = $1 AND live_app_id IS NOT NULL ORDER BY installed_at, app_id LIMIT $2 OFFSET $3`,
      [reachableUser(caller, userId), limit, offset],
    );
    return rows.map(withNumber);
  }

  /**
   * Installs an app for a user. If the user has the app already, only a different `config` is
   * stored, and `isNew` is false. Safe to retry.
   *
   * @throws AppError 403 `app.platform_only` unless the caller is a trusted backend or an
   * administrator of the platform; 404 `app.not_found` if there is no such app; 409
   * `install.too_many` if the user already has 200 apps.
   */
  async registerInstall(
    caller: Caller,
    userId: string,
    { app_id, config }: RegisterInstallRequest,
  ): Promise<{ install: RegistryInstall; isNew: boolean }> {
    assertPlatform(caller);
    return this.dataSource.transaction(async (em) => {
      // Installs of one user run one after the other: otherwise concurrent ones could exceed the
      // limit together.
      await em.query("SELECT pg_advisory_xact_lock(hashtextextended('installs of ' || $1, 0))", [userId]);
      const [changed] = await em
        .query<(InstallRow & { is_new: boolean })[]>(
          `INSERT INTO installs AS i (user_id, app_id, live_app_id, config, changed_by) VALUES ($1, $2, $2, coalesce($3::jsonb, '{}'), $4)
           ON CONFLICT (user_id, app_id) DO UPDATE SET live_app_id = excluded.app_id, removed_at = NULL,
             installed_at = CASE WHEN i.removed_at IS NULL THEN i.installed_at ELSE now() END,
             changed_by = CASE WHEN i.removed_at IS NULL THEN i.changed_by ELSE excluded.changed_by END,
             config = CASE WHEN i.removed_at IS NULL THEN coalesce($3::jsonb, i.config) ELSE excluded.config END
           WHERE i.removed_at IS NOT NULL OR i.config <> coalesce($3::jsonb, i.config)
           RETURNING ${INSTALL}, installed_at = now() AS is_new`,
          [userId, app_id, config === undefined ? null : JSON.stringify(config ?? {}), changedBy(caller)],
        )
        .catch(onViolation('installs_app_fkey', AppErrors.notFound));
      if (!changed) {
        const [same] = await em.query<InstallRow[]>(
          `SELECT ${INSTALL} FROM installs WHERE user_id = $1 AND app_id = $2`,
          [userId, app_id],
        );
        return { install: withNumber(same as InstallRow), isNew: false };
      }
      const { is_new, ...install } = changed;
      if (is_new) {
        const [{ count } = { count: 0 }] = await em.query<{ count: number }[]>(
          'SELECT count(*)::int AS count FROM installs WHERE user_id = $1 AND live_app_id IS NOT NULL',
          [userId],
        );
        if (count > MAX_INSTALLS_PER_USER) throw InstallErrors.tooMany(MAX_INSTALLS_PER_USER);
      }
      return { install: withNumber(install), isNew: is_new };
    });
  }

  /**
   * Removes an install. A retry gets the same answer.
   *
   * @throws AppError 403 `app.platform_only` unless the caller is a trusted backend or an
   * administrator of the platform; 404 `install.not_found` if the user never had the app.
   */
  async removeInstall(caller: Caller, userId: string, appId: string): Promise<RemovedInstall> {
    assertPlatform(caller);
    const [[removed]] = await this.dataSource.query<[RemovedRow[], number]>(
      `UPDATE installs SET live_app_id = NULL, removed_at = now(), changed_by = $3
       WHERE user_id = $1 AND app_id = $2 AND removed_at IS NULL RETURNING ${REMOVED}`,
      [userId, appId, changedBy(caller)],
    );
    if (removed) return withNumber(removed);
    const [before] = await this.dataSource.query<RemovedRow[]>(
      `SELECT ${REMOVED} FROM installs WHERE user_id = $1 AND app_id = $2 AND removed_at IS NOT NULL`,
      [userId, appId],
    );
    if (!before) throw InstallErrors.notFound();
    return withNumber(before);
  }
}

/** The API key as JSON; null for a trusted backend. */
function changedBy(caller: Caller): string | null {
  const user = userOf(caller);
  return user ? JSON.stringify(keyOf(user)) : null;
}

const withNumber = <Answer extends { revision: string }>(row: Answer) => ({ ...row, revision: Number(row.revision) });
