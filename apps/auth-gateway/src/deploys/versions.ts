import { documentHash, toolManifest, type AppDocument } from '@platform/app-document';
import type { ToolManifest } from '@platform/contracts';
import { sha256 } from '@platform/platform';
import canonicalize from 'canonicalize';
import type { EntityManager } from 'typeorm';
import { DeployErrors } from './deploys.errors.js';

export interface NewVersion {
  version: string;
  document: AppDocument | null;
  manifest: ToolManifest;
  sha256: Buffer;
}

export const versionOfDocument = (document: AppDocument): NewVersion => ({
  version: document.app.version,
  document,
  manifest: toolManifest(document),
  sha256: Buffer.from(documentHash(document), 'hex'),
});

/** A version of which only the manifest is known. */
export const versionOfManifest = (manifest: ToolManifest): NewVersion => ({
  version: manifest.version,
  document: null,
  manifest,
  sha256: sha256(canonicalize(manifest) as string),
});

/**
 * Holds a version at the gateway, in a transaction that has locked the app.
 *
 * @returns whether it is new.
 * @throws AppError 409 when there is one of this number with other content.
 */
export async function storeVersion(
  em: EntityManager,
  appId: string,
  { version, document, manifest, sha256 }: NewVersion,
): Promise<boolean> {
  const inserted = await em.query<unknown[]>(
    `INSERT INTO app_versions (app_id, version, sha256, document, manifest) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (app_id, version) DO NOTHING RETURNING 1`,
    [appId, version, sha256, document && JSON.stringify(document), JSON.stringify(manifest)],
  );
  if (inserted.length) return true;
  const [stored] = await em.query<{ sha256: Buffer }[]>('SELECT sha256 FROM app_versions WHERE app_id = $1 AND version = $2', [
    appId,
    version,
  ]);
  if (!stored?.sha256.equals(sha256)) throw DeployErrors.versionTaken(version);
  return false;
}

const NO_FUNCTIONS = 'The app has no document yet, so this version has no functions.';

/**
 * Sees to it that the gateway holds this version: a stored one, or one without functions while the app has never had content.
 *
 * @returns what the developer should know. @throws AppError 409 that lists the versions there are.
 */
export async function requireVersion(em: EntityManager, appId: string, version: string): Promise<string[]> {
  const versions = await em.query<{ version: string; has_content: boolean }[]>(
    `SELECT version, document IS NOT NULL OR manifest -> 'tools' <> '[]' OR manifest -> 'skeleton_sections' <> '[]' AS has_content
     FROM app_versions WHERE app_id = $1 ORDER BY created_at DESC, version DESC`,
    [appId],
  );
  const stored = versions.find((row) => row.version === version);
  if (stored) return stored.has_content ? [] : [NO_FUNCTIONS];
  if (versions.some(({ has_content: hasContent }) => hasContent)) {
    throw DeployErrors.versionUnknown(
      version,
      versions.map((row) => row.version),
    );
  }
  await storeVersion(em, appId, versionOfManifest({ version, tools: [], skeleton_sections: [] }));
  return [NO_FUNCTIONS];
}
