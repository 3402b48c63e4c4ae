import { Injectable } from '@nestjs/common';
import { appSettingsIssues } from '@platform/contracts';
import type { Caller } from '@platform/guards';
import { columns, queryPrepared, type RowOf } from '@platform/persistence';
import { ValidationFailed } from '@platform/platform';
import { DataSource } from 'typeorm';
import { assertVisible, reachOf } from '../access/reach.js';
import { RegisteredApp } from '../apps/registered-app.entity.js';
import { writeSettings } from '../apps/app-changes.js';
import { assertMatch, withEtag, type TaggedJson } from '../conditional-requests.js';
import { mergePatch } from './merge-patch.js';
import { assertMayWrite, settingsReachOf, visibleSettings } from './settings-layers.js';

const READ = columns(RegisteredApp, ['status', 'ownerId', 'settings']);
type SettingsRow = RowOf<typeof READ>;

const SETTINGS = `SELECT ${READ} FROM apps WHERE app_id = $1`;

@Injectable()
export class AppSettingsService {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Returns the part of the settings that the caller can see. The ETag covers only this part.
   *
   * @throws AppError 404 `app.not_found` if the app does not exist or the caller cannot see it.
   */
  async getSettings(caller: Caller, appId: string): Promise<TaggedJson> {
    const [app] = await queryPrepared<SettingsRow>(this.dataSource, SETTINGS, [appId]);
    assertVisible(reachOf(caller), app);
    return withEtag(visibleSettings(settingsReachOf(caller, app), app.settings));
  }

  /**
   * Merges an update into the settings as RFC 7396 defines: null removes a key, a list is replaced.
   * Returns the part that the caller can see. Concurrent updates are merged one after the other, so
   * none is lost.
   *
   * @throws AppError 404 `app.not_found` if the app does not exist or the caller cannot see it; 403
   * as in `assertMayWrite`; 412 `precondition_failed` if `ifMatch` is not the ETag of the part that
   * the caller sees; ValidationFailed if a key names a secret, or the settings become too large.
   */
  async mergeSettings(
    caller: Caller,
    appId: string,
    update: Record<string, unknown>,
    ifMatch?: string,
  ): Promise<TaggedJson> {
    const issues = appSettingsIssues(update);
    if (issues.length)
      throw new ValidationFailed(issues.map(({ path, ...issue }) => ({ loc: ['body', ...path], ...issue })));
    return this.dataSource.transaction(async (em) => {
      const [app] = await em.query<SettingsRow[]>(`${SETTINGS} FOR NO KEY UPDATE`, [appId]);
      assertVisible(reachOf(caller), app);
      const reach = settingsReachOf(caller, app);
      assertMayWrite(reach, update);
      assertMatch(ifMatch, withEtag(visibleSettings(reach, app.settings)).etag);
      const merged = await writeSettings(em, appId, mergePatch(app.settings, update));
      return withEtag(visibleSettings(reach, merged));
    });
  }
}
