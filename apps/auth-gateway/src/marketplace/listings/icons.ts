import type { Row } from '@platform/persistence';
import { sha256 } from '@platform/platform';
import type { EntityManager } from 'typeorm';
import { ListingErrors } from './listings.errors.js';
import type { App } from '../../apps/model/app.entity.js';

/**
 * Headers that make an SVG from an untrusted developer harmless if it is opened as a page: no
 * scripts, no requests, no origin. Styles inside the image are allowed because they are part of its
 * look.
 */
export const ICON_HEADERS = {
  'Content-Type': 'image/svg+xml; charset=utf-8',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

const HUES = 360;

/**
 * Returns the icon of an app as SVG: its own icon, or a square with the first letter or digit of
 * its name.
 *
 * @throws AppError 404 `app.not_found` if the app is neither in the marketplace nor a system app.
 */
export async function loadAppIcon(em: EntityManager, appId: string): Promise<string> {
  const [app] = await em.query<Row<App, 'displayName' | 'iconSvg'>[]>(
    "SELECT display_name, icon_svg FROM apps WHERE app_id = $1 AND status = 'active'",
    [appId],
  );
  if (!app) throw ListingErrors.appNotFound();
  return app.icon_svg ?? placeholder(appId, app.display_name);
}

function placeholder(appId: string, name: string): string {
  const hue = sha256(appId).readUInt16BE() % HUES;
  const initial = /\p{L}|\p{N}/u.exec(name)?.[0].toUpperCase() ?? '';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" role="img"><rect width="64" height="64" rx="14" fill="hsl(${hue} 45% 42%)"/><text x="32" y="32" dy=".35em" text-anchor="middle" font-family="sans-serif" font-size="32" font-weight="600" fill="#fff">${initial}</text></svg>`;
}
