import { Inject, Injectable } from '@nestjs/common';
import { LOGGER } from '@platform/platform';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { IS_UNFINISHED } from './unfinished-deploys.js';

/** Newest versions kept per app, for rollbacks and for reading the latest attempts. */
const KEPT = 20;
/** Long enough for a call that has just looked up the served version to finish. */
const YOUNG = '1 hour';
const BATCH = 1_000;

/** The pattern of `developmentNumber`. */
const IS_DEVELOPMENT = "version ~ '-dev\\.[0-9]{1,9}$'";

/**
 * True for a version `v` that is neither served nor submitted and has no open deploy. The Registry
 * must also have released the served version, because before that it may still serve an older one.
 */
const IS_UNUSED = `v.created_at < now() - interval '${YOUNG}'
  AND v.version IS DISTINCT FROM a.served_version AND v.version IS DISTINCT FROM a.submitted_version
  AND NOT EXISTS (SELECT FROM deploys d WHERE d.app_id = v.app_id AND d.version = v.version AND (d.${IS_UNFINISHED} OR d.status = 'waiting'))
  AND NOT EXISTS (SELECT FROM deploys d WHERE d.app_id = a.app_id AND d.version = a.served_version AND d.status = 'success'
    AND d.held_at IS NOT NULL AND d.released_at IS NULL)`;

/** Versions that `platform dev` creates, one for each save. */
@Injectable()
export class DevelopmentVersionsService {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Deletes development versions and their deploys, at most 1,000 in a run. Keeps the newest 20 of
   * each app, and versions that are younger than an hour, served, submitted, or in an open deploy.
   * The Registry service deletes its own copies.
   */
  async deleteUnusedVersions(): Promise<void> {
    const old = await this.dataSource.query<{ app_id: string; versions: string[] }[]>(
      `SELECT app_id, array_agg(version) AS versions FROM (
         SELECT v.app_id, v.version FROM (
           SELECT app_id, version, created_at, row_number() OVER (PARTITION BY app_id ORDER BY created_at DESC, version DESC) AS place
           FROM app_versions WHERE ${IS_DEVELOPMENT}) v JOIN apps a ON a.app_id = v.app_id
         WHERE v.place > ${KEPT} AND ${IS_UNUSED} ORDER BY v.app_id, v.created_at LIMIT ${BATCH}) old
       GROUP BY app_id ORDER BY app_id`,
    );
    for (const { app_id, versions } of old) {
      const pruned = await this.deleteVersions(app_id, versions);
      this.logger.info({ app_id, pruned }, 'old development versions were deleted');
    }
  }

  /**
   * Deletes those of the versions that are still unused, under a lock on the app, which stops other
   * deploys. Returns their number.
   */
  private deleteVersions(appId: string, versions: string[]): Promise<number> {
    return this.dataSource.transaction(async (em) => {
      await em.query('SELECT FROM apps WHERE app_id = $1 FOR NO KEY UPDATE', [appId]);
      const [, count] = await em.query<[unknown[], number]>(
        `DELETE FROM app_versions v USING apps a WHERE v.app_id = $1 AND v.version = ANY ($2) AND a.app_id = v.app_id AND ${IS_UNUSED}`,
        [appId, versions],
      );
      return count;
    });
  }
}
