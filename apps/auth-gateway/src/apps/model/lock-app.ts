import type { EntityManager } from 'typeorm';
import { App } from './app.entity.js';
import { SHOWN_COLUMNS, type ShownApp } from './app-response.js';
import { AppErrors } from './apps.errors.js';

/**
 * Until the end of the transaction nobody else changes the app. Take it before any other lock on rows of the app.
 *
 * @throws AppError 404 when there is no such app, or it is another developer's.
 */
export async function lockOwnApp(em: EntityManager, appId: string, developerId: string): Promise<ShownApp> {
  const lock = { mode: 'for_no_key_update' } as const;
  const app = await em.findOne(App, { select: SHOWN_COLUMNS, where: { appId, developerId }, lock });
  if (!app) throw AppErrors.notFound();
  return app;
}

/**
 * The same for whoever runs the platform.
 *
 * @throws AppError 404, and 403 for what the platform itself brings.
 */
export async function lockAnyApp(em: EntityManager, appId: string): Promise<ShownApp> {
  const lock = { mode: 'for_no_key_update' } as const;
  const app = await em.findOne(App, { select: { ...SHOWN_COLUMNS, system: true }, where: { appId }, lock });
  if (!app) throw AppErrors.notFound();
  if (app.system) throw AppErrors.isSystem();
  return app;
}
