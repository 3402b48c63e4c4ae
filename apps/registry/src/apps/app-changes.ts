import { columns, onViolation, type Row } from '@platform/persistence';
import type { EntityManager } from 'typeorm';
import { RegisteredApp } from './registered-app.entity.js';
import { AppErrors } from './apps.errors.js';

const WRITTEN = columns(RegisteredApp, ['settings']);

/**
 * Replaces all settings of an app. Returns them as PostgreSQL stores them.
 *
 * @throws ValidationFailed if they are too large: above 64 KiB, or above 16 KiB for a tenant.
 */
export async function writeSettings(
  em: EntityManager,
  appId: string,
  settings: unknown,
): Promise<RegisteredApp['settings']> {
  const [[written]] = await em
    .query<[[Row<RegisteredApp, 'settings'>], number]>(
      `UPDATE apps SET settings = $2 WHERE app_id = $1 RETURNING ${WRITTEN}`,
      [appId, JSON.stringify(settings)],
    )
    .catch(onViolation('apps_settings_size_check', AppErrors.settingsTooLarge));
  return written.settings;
}

/** Makes an app serve a version. The manifest of that version must exist. */
export async function serveVersion(em: EntityManager, appId: string, version: string): Promise<void> {
  await em.query('UPDATE apps SET version = $2, updated_at = now() WHERE app_id = $1', [appId, version]);
}
