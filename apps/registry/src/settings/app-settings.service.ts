import { Inject, Injectable } from '@nestjs/common';
import { appSettingsIssues } from '@platform/contracts';
import type { Caller } from '@platform/guards';
import { onViolation, queryPrepared } from '@platform/persistence';
import { ValidationFailed } from '@platform/platform';
import { DataSource } from 'typeorm';
import { assertManaged, assertSeen, reachOf } from '../access/reach.js';
import { AppErrors } from '../apps/apps.errors.js';
import { assertMatch, tagged, type TaggedJson } from '../conditional.js';
import { mergePatch } from './merge-patch.js';

interface SettingsRow {
  status: string;
  owner_id: string | null;
  settings: Record<string, unknown>;
}

const SETTINGS = 'SELECT status, owner_id, settings FROM apps WHERE app_id = $1';

@Injectable()
export class AppSettings {
  constructor(@Inject(DataSource) private readonly dataSource: DataSource) {}

  /** @throws AppError 404. */
  async get(caller: Caller, appId: string): Promise<TaggedJson> {
    const [app] = await queryPrepared<SettingsRow>(this.dataSource, SETTINGS, [appId]);
    assertSeen(reachOf(caller), app);
    return tagged(app.settings);
  }

  /**
   * Merges an update into the settings as RFC 7396 says: null removes a key, lists are replaced. Updates that come at once are merged one
   * after the other, so that none is lost.
   *
   * @throws AppError 412 when `ifMatch` is not the tag of the settings.
   */
  async merge(caller: Caller, appId: string, update: Record<string, unknown>, ifMatch?: string): Promise<TaggedJson> {
    const issues = appSettingsIssues(update);
    if (issues.length) throw new ValidationFailed(issues.map(({ path, ...issue }) => ({ loc: ['body', ...path], ...issue })));
    return this.dataSource.transaction(async (em) => {
      const [app] = await em.query<SettingsRow[]>(`${SETTINGS} FOR NO KEY UPDATE`, [appId]);
      assertManaged(reachOf(caller), app);
      assertMatch(ifMatch, tagged(app.settings).etag);
      const [[merged]] = await em
        .query<[[SettingsRow], number]>('UPDATE apps SET settings = $2 WHERE app_id = $1 RETURNING settings', [
          appId,
          JSON.stringify(mergePatch(app.settings, update)),
        ])
        .catch(onViolation('apps_settings_size_check', AppErrors.settingsTooLarge));
      return tagged(merged.settings);
    });
  }
}
