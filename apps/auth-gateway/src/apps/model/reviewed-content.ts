import type { EntityManager } from 'typeorm';

/**
 * Of a version `v` of the app `a`: what a review looks at and nobody changes after it, so also the name, the icon, the prices and the shares
 * that the app has by now.
 */
export const REVIEWED_SHA256 = `sha256(v.sha256 || sha256(convert_to(a.display_name, 'UTF8')) || sha256(convert_to(coalesce(a.icon_svg, ''), 'UTF8'))
  || sha256(convert_to(jsonb_build_array(a.pricing_model, a.pricing_config, a.revenue_split_dev)::text, 'UTF8')))`;

/** For a transaction that has locked the app, which has this version. */
export async function reviewedSha256(em: EntityManager, appId: string, version: string): Promise<Buffer> {
  const [row] = await em.query<{ sha256: Buffer }[]>(
    `SELECT ${REVIEWED_SHA256} AS sha256 FROM apps a JOIN app_versions v ON v.app_id = a.app_id WHERE a.app_id = $1 AND v.version = $2`,
    [appId, version],
  );
  if (!row) throw new Error(`The app ${appId} has no version ${version}`);
  return row.sha256;
}
