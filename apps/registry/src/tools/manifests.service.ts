import { Injectable } from '@nestjs/common';
import type { GetToolsQuery, PutToolsRequest, PutToolsResponse } from '@platform/contracts';
import type { Caller } from '@platform/guards';
import { columns, onViolation, queryPrepared, type OrNull, type Row, type RowOf } from '@platform/persistence';
import { DataSource, type EntityManager } from 'typeorm';
import { assertManaged, assertSeen, isOwner, mayManage, reachOf } from '../access/reach.js';
import { App } from '../apps/app.entity.js';
import { serveVersion } from '../apps/app-changes.js';
import { AppErrors } from '../apps/apps.errors.js';
import { assertMatch, type TaggedJson } from '../conditional.js';
import { Manifest } from './manifest.entity.js';
import { sha256Of, toManifestText } from './pushed-manifest.js';

/** Of each app, beside the served one: as many that the platform pushed, and as many that its owner did. */
const MANIFESTS_HELD = 50;
/** Of a manifest that came without a version, to an app that serves none. */
const FIRST_VERSION = '0.0.0';

const OF_APP = columns(App, ['status', 'ownerId', 'version AS served'], 'a');
const OF_MANIFEST = columns(Manifest, ['version', 'sha256', 'isOwners'], 'm');
/** Of an app, with a manifest of it if there is one. */
type ManifestRow = RowOf<typeof OF_APP> & OrNull<RowOf<typeof OF_MANIFEST>> & { tools: string; sections: string };

@Injectable()
export class Manifests {
  constructor(private readonly dataSource: DataSource) {}

  /** The served manifest, or that of a version; without any, two empty lists. What is not served is for those who manage the app. */
  async get(caller: Caller, appId: string, { version }: GetToolsQuery): Promise<TaggedJson> {
    const [row] = await queryPrepared<ManifestRow>(
      this.dataSource,
      `SELECT ${OF_APP}, ${OF_MANIFEST}, coalesce(m.tools::text, '[]') AS tools,
         coalesce(m.skeleton_sections::text, '[]') AS sections
       FROM apps a LEFT JOIN manifests m ON m.app_id = a.app_id AND m.version = coalesce($2, a.version)
       WHERE a.app_id = $1`,
      [appId, version ?? null],
    );
    const reach = reachOf(caller);
    assertSeen(reach, row);
    // What the owner pushed is not there for anybody else, such as the gateway: a deploy pushes what it serves.
    const isShown = row.version === row.served || (row.is_owners ? isOwner(reach, row) : mayManage(reach, row));
    if (version !== undefined && (row.version === null || !isShown)) throw AppErrors.versionNotFound();
    const { tools, sections } = row;
    return {
      json: `{"app_id":${JSON.stringify(appId)},"version":${JSON.stringify(row.version)},"tools":${tools},"skeleton_sections":${sections}}`,
      etag: manifestTag(row.sha256),
    };
  }

  /**
   * Holds a manifest, and serves it unless `release` is false. A version that is pushed again is replaced; what is served already, pushed again,
   * changes nothing. What the owner of the app pushes is held for them to see, and served by a deploy alone, which pushes it anew.
   *
   * @param ifMatch the tag of the served manifest, which must not have changed since. @throws AppError 412 when it has; 409 for another
   *   manifest of the served version that is not to be released, or by the owner of a version that the platform holds.
   */
  async push(caller: Caller, appId: string, request: PutToolsRequest, ifMatch?: string): Promise<PutToolsResponse> {
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

/** One push after the other, for each app. */
async function lockServed(em: EntityManager, caller: Caller, appId: string): Promise<Served> {
  const [app] = await em.query<Served[]>('SELECT status, owner_id, version FROM apps WHERE app_id = $1 FOR NO KEY UPDATE', [appId]);
  assertManaged(reachOf(caller), app);
  const [manifest] = await em.query<Row<Manifest, 'sha256'>[]>('SELECT sha256 FROM manifests WHERE app_id = $1 AND version = $2', [
    appId,
    app.version,
  ]);
  return { ...app, sha256: manifest?.sha256 ?? null };
}

const manifestTag = (sha256: Buffer | null): string => `"${sha256?.toString('base64url') ?? 'none'}"`;
