import { Injectable } from '@nestjs/common';
import type { GetToolsQuery, PutToolsRequest, PutToolsResponse } from '@platform/contracts';
import type { Caller } from '@platform/guards';
import { columns, onViolation, queryPrepared, type OrNull, type Row, type RowOf } from '@platform/persistence';
import { DataSource, type EntityManager } from 'typeorm';
import { assertManageable, assertVisible, isOwner, mayManage, reachOf } from '../access/reach.js';
import { RegisteredApp } from '../apps/registered-app.entity.js';
import { serveVersion } from '../apps/app-changes.js';
import { AppErrors } from '../apps/apps.errors.js';
import { assertMatch, type TaggedJson } from '../conditional-requests.js';
import { Manifest } from './manifest.entity.js';
import { sha256Of, toManifestText } from './pushed-manifest.js';

/**
 * Manifests that are kept of each app in addition to the served one: this many from the platform,
 * and this many from the owner.
 */
const MANIFESTS_HELD = 50;
/** Version of a manifest that is pushed without a version to an app that serves none. */
const FIRST_VERSION = '0.0.0';

const OF_APP = columns(RegisteredApp, ['status', 'ownerId', 'version AS served'], 'a');
const OF_MANIFEST = columns(Manifest, ['version', 'sha256', 'isOwners'], 'm');
type ManifestRow = RowOf<typeof OF_APP> & OrNull<RowOf<typeof OF_MANIFEST>> & { tools: string; sections: string };

@Injectable()
export class ManifestsService {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Returns the manifest of a version (its functions and skeleton sections), by default of the one
   * that is served. Without a served manifest both lists are empty. If the version is not served,
   * only callers who manage the app can read it; a manifest that the owner pushed, only the owner.
   *
   * @throws AppError 404 `app.not_found` if the app does not exist or the caller cannot see it; 404
   * `app.version_not_found` if the version is not stored or the caller cannot read it.
   */
  async getManifest(caller: Caller, appId: string, { version }: GetToolsQuery): Promise<TaggedJson> {
    const [row] = await queryPrepared<ManifestRow>(
      this.dataSource,
      `SELECT ${OF_APP}, ${OF_MANIFEST}, coalesce(m.tools::text, '[]') AS tools,
         coalesce(m.skeleton_sections::text, '[]') AS sections
       FROM apps a LEFT JOIN manifests m ON m.app_id = a.app_id AND m.version = coalesce($2, a.version)
       WHERE a.app_id = $1`,
      [appId, version ?? null],
    );
    const reach = reachOf(caller);
    assertVisible(reach, row);
    // Only the owner can read a manifest that the owner pushed. Others, such as the gateway, must
    // not: a deploy pushes the version that it serves.
    const isShown = row.version === row.served || (row.is_owners ? isOwner(reach, row) : mayManage(reach, row));
    if (version !== undefined && (row.version === null || !isShown)) throw AppErrors.versionNotFound();
    const { tools, sections } = row;
    return {
      json: `{"app_id":${JSON.stringify(appId)},"version":${JSON.stringify(row.version)},"tools":${tools},"skeleton_sections":${sections}}`,
      etag: manifestTag(row.sha256),
    };
  }

  /**
   * Stores the manifest of a version: its functions and skeleton sections. If the caller is a
   * trusted backend or an administrator of the platform, and `release` is not false, the app serves
   * it. It replaces a stored manifest of the same version. Pushing the served manifest again
   * changes nothing. The owner can read the manifests that they pushed; a deploy serves such a
   * version by pushing it again.
   *
   * @param ifMatch the expected ETag of the served manifest.
   * @throws AppError 404 `app.not_found` and 403 `app.not_yours` as in `assertManageable`; 412
   * `precondition_failed` if the ETag differs; 409 `app.version_is_served` if a different manifest
   * of the version is served and this one would not be; 409 `app.version_is_held` if an owner
   * pushes a different manifest of a version that the platform has stored; ValidationFailed for the
   * manifest of another app, a section without a name, a list above 1 MiB, or no version without a
   * release.
   */
  async storeManifest(
    caller: Caller,
    appId: string,
    request: PutToolsRequest,
    ifMatch?: string,
  ): Promise<PutToolsResponse> {
    const { isPlatform } = reachOf(caller);
    const release = request.release ?? true;
    if (request.app_id !== undefined && request.app_id !== appId) throw AppErrors.otherApp();
    const manifest = toManifestText(request.tools, request.skeleton_sections);
    if (!release && !request.version) throw AppErrors.versionMissing();
    return this.dataSource.transaction(async (em) => {
      const served = await lockServed(em, caller, appId);
      assertMatch(ifMatch, manifestTag(served.sha256));
      const version = request.version ?? served.version ?? FIRST_VERSION;
      const sha256 = sha256Of(version, manifest);
      const isServed = version === served.version;
      const answer = {
        app_id: appId,
        version,
        tools_registered: request.tools.length,
        skeleton_sections_registered: request.skeleton_sections.length,
        released: isServed,
      };
      if (isServed && served.sha256?.equals(sha256)) return answer;
      const serves = release && isPlatform;
      if (isServed && !serves) throw AppErrors.versionIsServed();
      const held = await em
        .query<unknown[]>(
          `INSERT INTO manifests AS m (app_id, version, tools, skeleton_sections, sha256, is_owners) VALUES ($1, $2, $3, $4, $5, $6)
           ON CONFLICT (app_id, version) DO UPDATE SET tools = excluded.tools, skeleton_sections = excluded.skeleton_sections,
             sha256 = excluded.sha256, is_owners = m.is_owners AND excluded.is_owners,
             pushed_at = CASE WHEN excluded.is_owners AND NOT m.is_owners THEN m.pushed_at ELSE clock_timestamp() END
           WHERE NOT excluded.is_owners OR m.is_owners OR m.sha256 = excluded.sha256 RETURNING 1`,
          [appId, version, manifest.tools, manifest.sections, sha256, !isPlatform],
        )
        .catch(onViolation('manifests_tools_size_check', AppErrors.manifestTooLarge))
        .catch(onViolation('manifests_sections_size_check', AppErrors.manifestTooLarge));
      if (!held.length) throw AppErrors.versionIsHeld();
      if (serves && !isServed) await serveVersion(em, appId, version);
      await em.query(
        `DELETE FROM manifests m USING apps a WHERE m.app_id = $1 AND a.app_id = m.app_id AND m.version IS DISTINCT FROM a.version
           AND m.version IN (
             SELECT version FROM (
               SELECT version, row_number() OVER (PARTITION BY is_owners ORDER BY pushed_at DESC, version) AS place
               FROM manifests WHERE app_id = $1
             ) ranked WHERE place > $2
           )`,
        [appId, MANIFESTS_HELD],
      );
      return { ...answer, released: serves || isServed };
    });
  }
}

interface Served {
  status: string;
  owner_id: string | null;
  version: string | null;
  sha256: Buffer | null;
}

/**
 * Locks the app until the transaction ends, so that pushes to it run one after the other. Returns
 * it with the hash of the served manifest; null if it serves none.
 *
 * @throws AppError 404 `app.not_found` or 403 `app.not_yours` as in `assertManageable`.
 */
async function lockServed(em: EntityManager, caller: Caller, appId: string): Promise<Served> {
  const [app] = await em.query<Served[]>(
    'SELECT status, owner_id, version FROM apps WHERE app_id = $1 FOR NO KEY UPDATE',
    [appId],
  );
  assertManageable(reachOf(caller), app);
  const [manifest] = await em.query<Row<Manifest, 'sha256'>[]>(
    'SELECT sha256 FROM manifests WHERE app_id = $1 AND version = $2',
    [appId, app.version],
  );
  return { ...app, sha256: manifest?.sha256 ?? null };
}

const manifestTag = (sha256: Buffer | null): string => `"${sha256?.toString('base64url') ?? 'none'}"`;
