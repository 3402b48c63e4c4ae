import type { EntityManager } from 'typeorm';

/**
 * SQL for the hash of everything that a review checks and that stays fixed after it: the content of
 * version `v`, and the current name, icon, prices and share of app `a`.
 */
export const REVIEWED_SHA256 = `sha256(v.sha256 || sha256(convert_to(a.display_name, 'UTF8')) || sha256(convert_to(coalesce(a.icon_svg, ''), 'UTF8'))
  || sha256(convert_to(jsonb_build_array(a.pricing_model, a.pricing_config, a.revenue_split_dev)::text, 'UTF8')))`;

/**
 * Returns the hash of everything that a review checks: the content of the version, and the current
 * name, icon, prices and share of the app. The transaction must have locked the app.
 *
 * @throws Error if the app has no such version.
 */
export async function computeReviewedSha256(em: EntityManager, appId: string, version: string): Promise<Buffer> {
  const [row] = await em.query<{ sha256: Buffer }[]>(
    `SELECT ${REVIEWED_SHA256} AS sha256 FROM apps a JOIN app_versions v ON v.app_id = a.app_id WHERE a.app_id = $1 AND v.version = $2`,
    [appId, version],
  );
  if (!row) throw new Error(`The app ${appId} has no version ${version}`);
  return row.sha256;
}
