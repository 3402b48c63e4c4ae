import { Injectable } from '@nestjs/common';
import type {
  CreateRegistryAppRequest,
  DeleteRegistryAppResponse,
  ListRegistryAppsQuery,
  RegistryApp,
  UpdateRegistryAppRequest,
} from '@platform/contracts';
import type { Caller } from '@platform/guards';
import { onViolation } from '@platform/persistence';
import { isDeepStrictEqual } from 'node:util';
import { DataSource, type EntityManager } from 'typeorm';
import { assertManageable, assertPlatform, assertVisible, reachOf } from '../access/reach.js';
import { assertMatch, withEtag, type TaggedJson } from '../conditional-requests.js';
import { lockRevisions, removeInstallsOf } from '../installs/install-changes.service.js';
import { AppErrors } from './apps.errors.js';

const APPS = `
  SELECT a.app_id, a.display_name, a.display_name AS name, a.description, a.category, a.version, a.status, a.owner_id, a.required_scopes,
    a.config, coalesce(served.tools, '[]') AS tools, a.created_at, a.updated_at
  FROM apps a LEFT JOIN LATERAL (
    SELECT json_agg(json_build_object('name', t -> 'name', 'action_type', t -> 'action_type') ORDER BY at) AS tools
    FROM manifests m, json_array_elements(m.tools) WITH ORDINALITY tool (t, at)
    WHERE m.app_id = a.app_id AND m.version = a.version
  ) served ON true`;

/** Does not touch a row that would stay the same, so that its ETag stays the same. */
const UPDATE = `
  UPDATE apps a SET display_name = n.display_name, description = n.description, category = n.category, status = n.status,
    owner_id = n.owner_id, required_scopes = n.required_scopes, config = n.config, version = n.version, updated_at = now()
  FROM (
    SELECT coalesce($2, display_name) AS display_name, coalesce($3, description) AS description, coalesce($4, category) AS category,
      coalesce($5, status) AS status, CASE WHEN $10 THEN $6 ELSE owner_id END AS owner_id, coalesce($7, required_scopes) AS required_scopes,
      coalesce($8::jsonb, config) AS config, coalesce($9, version) AS version
    FROM apps WHERE app_id = $1
  ) n
  WHERE a.app_id = $1 AND (a.display_name, a.description, a.category, a.status, a.owner_id, a.required_scopes, a.config, a.version)
    IS DISTINCT FROM (n.display_name, n.description, n.category, n.status, n.owner_id, n.required_scopes, n.config, n.version)`;

@Injectable()
export class RegistryAppsService {
  constructor(private readonly dataSource: DataSource) {}

  /** Apps that the caller can see, with the requested owner and status, ordered by id. */
  listApps(caller: Caller, { owner_id, status, limit, offset }: ListRegistryAppsQuery): Promise<RegistryApp[]> {
    const { isPlatform, userId } = reachOf(caller);
    return this.dataSource.query<RegistryApp[]>(
      `${APPS}
       WHERE ($1 OR a.status = 'active' OR a.owner_id = $2) AND ($3::text IS NULL OR a.owner_id = $3) AND ($4 = 'all' OR a.status = $4)
       ORDER BY a.app_id LIMIT $5 OFFSET $6`,
      [isPlatform, userId, owner_id ?? null, status, limit, offset],
    );
  }

  /**
   * Returns an app, with its ETag.
   *
   * @throws AppError 404 `app.not_found` if the app does not exist or the caller cannot see it.
   */
  async getApp(caller: Caller, appId: string): Promise<TaggedJson> {
    const app = await find(this.dataSource.manager, appId);
    assertVisible(reachOf(caller), app);
    return withEtag(app);
  }

  /**
   * Registers an app, and returns it.
   *
   * @throws AppError 403 `app.platform_only` unless the caller is a trusted backend or an
   * administrator of the platform; 409 `app.exists` if the id is in use; ValidationFailed without a
   * name.
   */
  async createApp(caller: Caller, request: CreateRegistryAppRequest): Promise<RegistryApp> {
    assertPlatform(caller);
    const { app_id } = request;
    const display_name = request.display_name ?? request.name;
    if (display_name === undefined || display_name === null) throw AppErrors.nameMissing();
    return this.dataSource.transaction(async (em) => {
      await em
        .query(
          `INSERT INTO apps (app_id, display_name, description, category, status, owner_id, required_scopes, config)
           VALUES ($1, $2, coalesce($3, ''), coalesce($4, 'general'), coalesce($5, 'active'), $6, coalesce($7::text[], '{}'), coalesce($8::jsonb, '{}'))`,
          [
            app_id,
            display_name,
            request.description,
            request.category,
            request.status,
            request.owner_id,
            request.required_scopes,
            toJson(request.config),
          ],
        )
        .catch(onViolation('apps_pkey', AppErrors.exists));
      return (await find(em, app_id)) as RegistryApp;
    });
  }

  /**
   * Changes the fields of an app that the request contains, and returns the app with its ETag.
   *
   * @throws AppError 404 `app.not_found` if the app does not exist or the caller cannot see it; 403
   * `app.not_yours` if another user owns it; 403 `app.platform_only` if the owner changes a field
   * that only the platform may change; 409 `app.version_not_held` if the platform has pushed no
   * manifest of the version; 412 `precondition_failed` if `ifMatch` is not the ETag of the app.
   */
  async updateApp(
    caller: Caller,
    appId: string,
    request: UpdateRegistryAppRequest,
    ifMatch?: string,
  ): Promise<TaggedJson> {
    const { owner_id, status } = request;
    const display_name = request.display_name ?? request.name;
    return this.dataSource.transaction(async (em) => {
      await em.query('SELECT 1 FROM apps WHERE app_id = $1 FOR NO KEY UPDATE', [appId]);
      const app = await find(em, appId);
      const reach = reachOf(caller);
      assertManageable(reach, app);
      assertMatch(ifMatch, withEtag(app).etag);
      if (!reach.isPlatform) assertOwnersToChange(changesOf(app, request), await isFromPlatform(em, appId));
      if (typeof request.version === 'string' && request.version !== app.version)
        await assertReleasable(em, appId, request.version);
      await em
        .query(UPDATE, [
          appId,
          display_name,
          request.description,
          request.category,
          status,
          owner_id,
          request.required_scopes,
          toJson(request.config),
          request.version,
          owner_id !== undefined,
        ])
        .catch(onViolation('apps_version_fkey', AppErrors.versionNotHeld));
      return withEtag(await find(em, appId));
    });
  }

  /**
   * Deletes the app with its manifests and settings, and removes all its installs. Returns the
   * number of installs.
   *
   * @throws AppError 403 `app.platform_only` unless the caller is a trusted backend or an
   * administrator of the platform; 404 `app.not_found` if there is no such app.
   */
  async deleteApp(caller: Caller, appId: string): Promise<DeleteRegistryAppResponse> {
    assertPlatform(caller);
    return this.dataSource.transaction(async (em) => {
      await lockRevisions(em);
      const [app] = await em.query<unknown[]>('SELECT 1 FROM apps WHERE app_id = $1 FOR UPDATE', [appId]);
      if (!app) throw AppErrors.notFound();
      const installs_removed = await removeInstallsOf(em, appId);
      await em.query('DELETE FROM apps WHERE app_id = $1', [appId]);
      return { app_id: appId, status: 'deleted', installs_removed };
    });
  }
}

async function find(em: EntityManager, appId: string): Promise<RegistryApp | undefined> {
  const [app] = await em.query<RegistryApp[]>(`${APPS} WHERE a.app_id = $1`, [appId]);
  return app;
}

type Change = Exclude<keyof UpdateRegistryAppRequest, 'name'>;

/**
 * Fields that the owner may change: the first list always, the second one only if the platform has
 * not pushed a manifest of the app. Only the platform may change other fields.
 */
const OWNER_CHANGES: readonly Change[] = ['config'];
const OWNER_CHANGES_BEFORE_PUSH: readonly Change[] = [
  ...OWNER_CHANGES,
  'display_name',
  'description',
  'category',
  'required_scopes',
];

/**
 * Fields that the request would change. Absent fields and null do not count, except `owner_id`,
 * which can become null.
 */
function changesOf(app: RegistryApp, { name, ...request }: UpdateRegistryAppRequest): Change[] {
  const { owner_id, ...wanted } = { ...request, display_name: request.display_name ?? name };
  const changed = (Object.keys(wanted) as (keyof typeof wanted)[]).filter((key) => {
    const value = wanted[key];
    return value !== undefined && value !== null && !isDeepStrictEqual(value, app[key]);
  });
  return owner_id === undefined || owner_id === app.owner_id ? changed : [...changed, 'owner_id'];
}

/**
 * Checks that the owner may make these changes: of `config` always, of the name, the description,
 * the category and the scopes only until the platform has pushed a manifest. Later they stay as the
 * platform reviewed them.
 *
 * @throws AppError 403 `app.platform_only` if another field changes.
 */
function assertOwnersToChange(changes: readonly Change[], fromPlatform: boolean): void {
  const allowed = fromPlatform ? OWNER_CHANGES : OWNER_CHANGES_BEFORE_PUSH;
  if (changes.some((change) => !allowed.includes(change))) throw AppErrors.platformOnly();
}

/**
 * True if the platform has pushed a manifest of the app, which it does for each app that it
 * deploys. The transaction must have locked the app.
 */
async function isFromPlatform(em: EntityManager, appId: string): Promise<boolean> {
  return (
    (await em.query<unknown[]>('SELECT 1 FROM manifests WHERE app_id = $1 AND NOT is_owners LIMIT 1', [appId])).length >
    0
  );
}

/**
 * Refuses a version of which the platform has pushed no manifest. The owner can also push one, but
 * only a deploy makes it served, because the platform then pushes it again.
 *
 * @throws AppError 409 `app.version_not_held` for such a version.
 */
async function assertReleasable(em: EntityManager, appId: string, version: string): Promise<void> {
  const held = await em.query<unknown[]>(
    'SELECT 1 FROM manifests WHERE app_id = $1 AND version = $2 AND NOT is_owners',
    [appId, version],
  );
  if (!held.length) throw AppErrors.versionNotHeld();
}

/**
 * A `config` as JSON text for the database. Null means `{}`. Undefined becomes null, which leaves
 * the column unchanged.
 */
const toJson = (config: Record<string, unknown> | null | undefined) =>
  config === undefined ? null : JSON.stringify(config ?? {});
