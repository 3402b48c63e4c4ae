import type { AppDocument } from '@platform/app-document';
import type { PendingAppResponse, PendingContentResponse } from '@platform/contracts';
import { sha256 } from '@platform/platform';
import { REVIEWED_SHA256 } from '../model/reviewed-content.js';

/** SQL for all content that waits for a review: apps, and versions of apps in the marketplace. */
export const PENDING = `(
    SELECT app_id, submitted_at, submitted_version, NULL AS served_version, NULL::jsonb AS waits_for FROM apps WHERE status = 'pending_review'
    UNION ALL
    SELECT d.app_id, d.finished_at, d.version, a.served_version, d.waits_for FROM deploys d JOIN apps a ON a.app_id = d.app_id
    WHERE d.status = 'waiting' AND a.status = 'active'
  ) w JOIN apps a ON a.app_id = w.app_id
    JOIN app_versions v ON v.app_id = w.app_id AND v.version = w.submitted_version`;

/** Columns of `PENDING` for a `PendingAppResponse`. */
export const PENDING_COLUMNS = `a.app_id, a.display_name AS name, a.display_name, a.developer_id, a.short_description, a.description, a.category,
  a.git_url, w.submitted_at, w.submitted_version, encode(${REVIEWED_SHA256}, 'hex') AS sha256, w.served_version, w.waits_for,
  v.hosts, v.capabilities, a.pricing_model, a.pricing_config, a.revenue_split_dev`;

export interface PendingRow extends PendingAppResponse {
  requested_scopes: string[];
  icon_svg: string | null;
  document: AppDocument | null;
  manifest: Record<string, unknown>;
}

/**
 * Returns the reviewed content: the document and its code modules, or the manifest of a version
 * without a document. Omits source maps: they are not executed and can be larger than documents.
 */
export function toReviewedContent({
  document,
  manifest,
}: PendingRow): Pick<PendingContentResponse, 'document' | 'manifest' | 'modules'> {
  if (!document) return { document: null, manifest, modules: [] };
  const { modules, ...app } = document.app;
  const sources = Object.entries(modules ?? {});
  const shown = modules && Object.fromEntries(sources.map(([name, { source }]) => [name, { source }]));
  return {
    document: { ...document, app: { ...app, ...(shown && { modules: shown }) } },
    manifest: null,
    modules: sources.map(([name, { source }]) => ({
      name,
      bytes: Buffer.byteLength(source),
      sha256: sha256(source).toString('hex'),
    })),
  };
}
