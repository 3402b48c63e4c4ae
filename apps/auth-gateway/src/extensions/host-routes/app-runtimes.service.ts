import { Injectable } from '@nestjs/common';
import type {
  AppRuntimeChange,
  AppRuntimeChangesQuery,
  AppRuntimeChangesResponse,
  AppRuntimeInfo,
} from '@platform/contracts';
import { queryPrepared } from '@platform/persistence';
import { AppError, Errors } from '@platform/platform';
import { DataSource, QueryFailedError, type EntityManager } from 'typeorm';
import { MAY_RUN } from '../run-grants/eligibility-rows.js';

/** Same key as in the trigger of `migrations/baseline/apps.ts`. */
const REVISIONS_LOCK = '7340519268415530912';
const LOCK_NOT_AVAILABLE = '55P03';

const HASH = /^[0-9a-f]{64}$/;

const notFound = () => new AppError(404, 'app_version.not_found', 'There is no such version, or it has no document.');

/** The versions of apps that the host runs. */
@Injectable()
export class AppRuntimesService {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Returns the served version of an app with the facts that the host needs to run it, even if no
   * user can call it.
   *
   * @throws AppError 404 `app_version.not_found` if the app is unknown, has no developer or serves
   * no version, or if the version has no document.
   */
  async getRuntime(appId: string): Promise<AppRuntimeInfo> {
    const [app] = await queryPrepared<AppRuntimeInfo>(
      this.dataSource,
      `SELECT a.app_id, v.version, encode(v.sha256, 'hex') AS sha256, u.tenant_id, a.developer_id, a.status = 'active' AS is_active,
         NOT ${MAY_RUN} AS is_suspended, v.hosts, v.capabilities
       FROM apps a JOIN users u ON u.id = a.developer_id
         JOIN app_versions v ON v.app_id = a.app_id AND v.version = a.served_version AND v.document IS NOT NULL
       WHERE a.app_id = $1`,
      [appId],
    );
    if (!app) throw notFound();
    return app;
  }

  /**
   * Returns a page of the apps whose runtime changed after the revision `after`, each once with its
   * latest state; `runtime` is null for an app that was deleted or serves no version with a
   * document. Waits for transactions with an earlier revision, so that no change is missed. If
   * `after` is above the last revision, the database was restored from a backup, and all apps are
   * returned again.
   *
   * @throws AppError 503 `unavailable` if these transactions take more than 2 s.
   */
  async listChanges({ after, limit }: AppRuntimeChangesQuery): Promise<AppRuntimeChangesResponse> {
    if ((await lastRevision(this.dataSource.manager)) === after) return { items: [], next: after, has_more: false };
    return this.dataSource.transaction(async (em) => {
      await em.query("SET LOCAL lock_timeout = '2s'");
      await em.query(`SELECT pg_advisory_xact_lock(${REVISIONS_LOCK})`).catch((error: unknown) => {
        throw error instanceof QueryFailedError && (error.driverError as { code?: string }).code === LOCK_NOT_AVAILABLE
          ? Errors.unavailable(error)
          : error;
      });
      const last = await lastRevision(em);
      const rows = await em.query<AppRuntimeChange[]>(
        `SELECT c.app_id, c.revision::float8 AS revision, CASE WHEN v.version IS NOT NULL THEN jsonb_build_object(
           'app_id', a.app_id, 'version', v.version, 'sha256', encode(v.sha256, 'hex'), 'tenant_id', u.tenant_id,
           'developer_id', a.developer_id, 'is_active', a.status = 'active', 'is_suspended', NOT ${MAY_RUN}) END AS runtime
         FROM app_runtime_changes c LEFT JOIN apps a ON a.app_id = c.app_id LEFT JOIN users u ON u.id = a.developer_id
           LEFT JOIN app_versions v ON v.app_id = a.app_id AND v.version = a.served_version AND v.document IS NOT NULL AND u.id IS NOT NULL
         WHERE c.revision > $1 ORDER BY c.revision LIMIT $2`,
        [after > last ? 0 : after, limit + 1],
      );
      const items = rows.slice(0, limit);
      const hasMore = rows.length > limit;
      return { items, next: hasMore ? (items.at(-1)?.revision ?? last) : last, has_more: hasMore };
    });
  }

  /**
   * Returns the canonical document of any version of the app, served or not.
   *
   * @throws AppError 404 `app_version.not_found` if the app has no document with this hash.
   */
  async getDocument(appId: string, hash: string): Promise<Record<string, unknown>> {
    const [version] = HASH.test(hash)
      ? await this.dataSource.query<{ document: Record<string, unknown> }[]>(
          "SELECT document FROM app_versions WHERE app_id = $1 AND sha256 = decode($2, 'hex') AND document IS NOT NULL",
          [appId, hash],
        )
      : [];
    if (!version) throw notFound();
    return version.document;
  }
}

/** Returns the revision of the last change of any app's runtime; 0 if there is no revision yet. */
async function lastRevision(em: EntityManager): Promise<number> {
  const [row] = await em.query<{ last: number }[]>(
    'SELECT CASE WHEN is_called THEN last_value ELSE 0 END::float8 AS last FROM app_runtime_revisions',
  );
  return row?.last ?? 0;
}
