import type { AppStatus, ToolManifest } from '@platform/contracts';
import { narrower, type Narrowing } from '@platform/guards';
import { onViolation, type Row } from '@platform/persistence';
import { sha256 } from '@platform/platform';
import canonicalize from 'canonicalize';
import type { EntityManager } from 'typeorm';
import type { AppVersion } from '../../model/app-version.entity.js';
import type { LockedApp } from '../../model/apps-of-developers.js';
import { DeployErrors } from './deploys.errors.js';
import { IS_UNFINISHED } from './unfinished.js';
import type { Deploy } from './deploy.entity.js';

export interface NewVersion {
  version: string;
  /** As JSON, in its canonical form. */
  document: string | null;
  /** As JSON. */
  manifest: string;
  sha256: Buffer;
  /** Where the document asks to send requests; null where there is none. */
  hosts: string[] | null;
  /** What of its context the document asks for; null where there is none. */
  capabilities: string[] | null;
}

/** A version of which only the manifest is known. */
export const versionOfManifest = (manifest: ToolManifest): NewVersion => ({
  version: manifest.version,
  document: null,
  manifest: JSON.stringify(manifest),
  sha256: sha256(canonicalize(manifest) as string),
  hosts: null,
  capabilities: null,
});

/** What a version has that is more than a number. */
const HAS_CONTENT = "(document IS NOT NULL OR manifest -> 'tools' <> '[]' OR manifest -> 'skeleton_sections' <> '[]')";
/** Whoever reviews or runs an app must not find another one under the same version; nobody but its developer runs a draft. */
const MAY_GET_CONTENT: readonly AppStatus[] = ['draft', 'suspended'];
const MAY_GET_OTHER_CONTENT: readonly AppStatus[] = ['draft'];

/**
 * Holds a version at the gateway, in a transaction that has locked the app. A version of a draft gets this content in the place of what it
 * had, and one that was deployed without any gets it once; it is not served then until both sides hold that. Deploys of it that are under way
 * bring that content, so they reach no further than whoever gave it.
 *
 * @param narrowing as far as the content may act for the developer; null: as they may themselves.
 * @returns whether anything is held that was not before.
 * @throws AppError 409 when there is one of this number with other content and the app is no draft; ValidationFailed when the manifest is too large.
 */
export async function storeVersion(
  em: EntityManager,
  app: LockedApp,
  { version, ...content }: NewVersion,
  narrowing: Narrowing | null,
): Promise<boolean> {
  const id = [app.app_id, version];
  const { sha256, document, manifest, hosts, capabilities } = content;
  const values = [...id, sha256, document, manifest, narrowing && JSON.stringify(narrowing), hosts, capabilities];
  const tooLarge = onViolation('app_versions_manifest_size_check', DeployErrors.manifestTooLarge);
  const tooManyScopes = onViolation('app_versions_requested_scopes_check', DeployErrors.tooManyScopes);
  const inserted = await em
    .query<unknown[]>(
      `INSERT INTO app_versions (app_id, version, sha256, document, manifest, narrowing, hosts, capabilities)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
       ON CONFLICT (app_id, version) DO NOTHING RETURNING 1`,
      values,
    )
    .catch(tooLarge)
    .catch(tooManyScopes);
  if (inserted.length) return true;
  const [stored] = await em.query<{ sha256: Buffer; has_content: boolean }[]>(
    `SELECT sha256, ${HAS_CONTENT} AS has_content FROM app_versions WHERE app_id = $1 AND version = $2`,
    id,
  );
  if (stored?.sha256.equals(sha256)) return false;
  const mayChange = stored?.has_content ? MAY_GET_OTHER_CONTENT : MAY_GET_CONTENT;
  if (!mayChange.includes(app.status)) throw DeployErrors.versionTaken(version, app.status);
  // Its price follows when the version is served again: until then nobody can call it.
  await em.query('UPDATE apps SET served_version = NULL WHERE app_id = $1 AND served_version = $2', id);
  await em
    .query(
      `UPDATE app_versions SET sha256 = $3, document = $4, manifest = $5, narrowing = $6, hosts = $7, capabilities = $8, registry_held_at = NULL
       WHERE app_id = $1 AND version = $2`,
      values,
    )
    .catch(tooLarge)
    .catch(tooManyScopes);
  if (narrowing) await narrowUnfinished(em, { appId: app.app_id, version }, narrowing);
  return true;
}

/**
 * Narrows the deploys that are under way, of one version or, without one, of all. For a transaction that has locked the app and those of its
 * versions that it changes.
 */
export async function narrowUnfinished(
  em: EntityManager,
  { appId, version = null }: { appId: string; version?: string | null },
  narrowing: Narrowing,
): Promise<void> {
  const deploys = await em.query<Row<Deploy, 'deployId' | 'narrowing'>[]>(
    `SELECT deploy_id, narrowing FROM deploys
     WHERE app_id = $1 AND ($2::text IS NULL OR version = $2) AND ${IS_UNFINISHED}
     ORDER BY deploy_id FOR NO KEY UPDATE`,
    [appId, version],
  );
  for (const { deploy_id, narrowing: before } of deploys) {
    const after = JSON.stringify(narrower(before, narrowing));
    await em.query('UPDATE deploys SET narrowing = $2 WHERE deploy_id = $1', [deploy_id, after]);
  }
}

const NO_FUNCTIONS = 'The app has no document yet, so this version has no functions.';

/**
 * Sees to it that the gateway holds this version: a stored one, or one without functions while the app has never had content.
 *
 * @returns what the developer should know. @throws AppError 409 that lists the versions there are.
 */
export async function requireVersion(em: EntityManager, app: LockedApp, version: string, narrowing: Narrowing | null): Promise<string[]> {
  const versions = await versionsOf(em, app);
  const stored = versions.find((row) => row.version === version);
  if (!stored && versions.some(({ has_content: hasContent }) => hasContent)) throw unknown(version, versions);
  if (!stored) await storeVersion(em, app, versionOfManifest({ version, tools: [], skeleton_sections: [] }), narrowing);
  return stored?.has_content ? [] : [NO_FUNCTIONS];
}

/** @throws AppError 409 that lists the versions there are, when this is none of them. */
export async function assertVersion(em: EntityManager, app: LockedApp, version: string): Promise<void> {
  const versions = await versionsOf(em, app);
  if (!versions.some((row) => row.version === version)) throw unknown(version, versions);
}

type VersionRow = Row<AppVersion, 'version'> & { has_content: boolean };

/** The newest first. */
const versionsOf = (em: EntityManager, { app_id: appId }: LockedApp): Promise<VersionRow[]> =>
  em.query<VersionRow[]>(
    `SELECT version, ${HAS_CONTENT} AS has_content FROM app_versions WHERE app_id = $1 ORDER BY created_at DESC, version DESC`,
    [appId],
  );

const unknown = (wanted: string, versions: VersionRow[]) =>
  DeployErrors.versionUnknown(
    wanted,
    versions.map(({ version }) => version),
  );
