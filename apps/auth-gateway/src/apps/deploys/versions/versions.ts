import type { AppStatus, ToolManifest } from '@platform/contracts';
import { intersectNarrowings, type Narrowing } from '@platform/guards';
import { onViolation, type Row } from '@platform/persistence';
import { sha256 } from '@platform/platform';
import canonicalize from 'canonicalize';
import type { EntityManager } from 'typeorm';
import type { AppVersion } from '../../model/app-version.entity.js';
import type { LockedApp } from '../../model/developer-reach.js';
import { DeployErrors } from './deploys.errors.js';
import { IS_UNFINISHED } from './unfinished-deploys.js';
import type { Deploy } from './deploy.entity.js';

export interface NewVersion {
  version: string;
  /** Canonical JSON. */
  document: string | null;
  /** JSON. */
  manifest: string;
  sha256: Buffer;
  /** Hosts that the document requests; null without a document. */
  hosts: string[] | null;
  /** Capabilities that the document requests; null without a document. */
  capabilities: string[] | null;
}

/**
 * Returns a version without a document, for a manifest from an external pipeline. It does not run.
 */
export const createManifestVersion = (manifest: ToolManifest): NewVersion => ({
  version: manifest.version,
  document: null,
  manifest: JSON.stringify(manifest),
  sha256: sha256(canonicalize(manifest) as string),
  hosts: null,
  capabilities: null,
});

/** True for a version that has more than a number. */
const HAS_CONTENT = "(document IS NOT NULL OR manifest -> 'tools' <> '[]' OR manifest -> 'skeleton_sections' <> '[]')";
/**
 * Statuses in which content can be added to an empty version. In other statuses users or reviewers
 * rely on the content; a draft runs only for its developer.
 */
const MAY_GET_CONTENT: readonly AppStatus[] = ['draft', 'suspended'];
const MAY_GET_OTHER_CONTENT: readonly AppStatus[] = ['draft'];

/**
 * Stores a version at the gateway, in a transaction that has locked the app. An existing version of
 * a draft gets the new content; an empty version gets it once, also while the app is suspended. If
 * it was served, the app serves none until the version is served again. Deploys of it in progress
 * deploy the new content and get the limit of its sender too.
 *
 * @param narrowing limit for acting in the name of the developer; null: all permissions of the
 * developer.
 * @returns true if content was stored; false if the version already had it.
 * @throws AppError 409 `deploy.version_taken` if the version exists with other content that cannot
 * change in the app's status; ValidationFailed if the manifest is larger than 1 MiB or requests too
 * many scopes.
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
  // Serving the version again updates its price. Before that, calls are not possible.
  await em.query('UPDATE apps SET served_version = NULL WHERE app_id = $1 AND served_version = $2', id);
  await em
    .query(
      `UPDATE app_versions SET sha256 = $3, document = $4, manifest = $5, narrowing = $6, hosts = $7, capabilities = $8, registry_held_at = NULL
       WHERE app_id = $1 AND version = $2`,
      values,
    )
    .catch(tooLarge)
    .catch(tooManyScopes);
  if (narrowing) await narrowUnfinishedDeploys(em, { appId: app.app_id, version }, narrowing);
  return true;
}

/**
 * Limits the permissions of deploys in progress to those that `narrowing` allows too: the deploys
 * of one version, or all of the app if `version` is null. The transaction must have locked the app,
 * and the versions that it changes.
 */
export async function narrowUnfinishedDeploys(
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
    const after = JSON.stringify(intersectNarrowings(before, narrowing));
    await em.query('UPDATE deploys SET narrowing = $2 WHERE deploy_id = $1', [deploy_id, after]);
  }
}

const NO_FUNCTIONS = 'The app has no document yet, so this version has no functions.';

/**
 * Ensures that the gateway has this version. If no version of the app has content yet, it creates
 * one without functions.
 *
 * @returns warnings for the developer; empty if the version has content.
 * @throws AppError 409 `deploy.version_unknown` with a list of the existing versions, if one of
 * these has content and this one does not exist.
 */
export async function ensureVersionExists(
  em: EntityManager,
  app: LockedApp,
  version: string,
  narrowing: Narrowing | null,
): Promise<string[]> {
  const versions = await versionsOf(em, app);
  const stored = versions.find((row) => row.version === version);
  if (!stored && versions.some(({ has_content: hasContent }) => hasContent)) throw unknown(version, versions);
  if (!stored)
    await storeVersion(em, app, createManifestVersion({ version, tools: [], skeleton_sections: [] }), narrowing);
  return stored?.has_content ? [] : [NO_FUNCTIONS];
}

/**
 * Checks that the app has this version.
 *
 * @throws AppError 409 `deploy.version_unknown` with a list of the existing versions if it has not.
 */
export async function assertVersionExists(em: EntityManager, app: LockedApp, version: string): Promise<void> {
  const versions = await versionsOf(em, app);
  if (!versions.some((row) => row.version === version)) throw unknown(version, versions);
}

type VersionRow = Row<AppVersion, 'version'> & { has_content: boolean };

/** Versions of the app, newest first. */
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
