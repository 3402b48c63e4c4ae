import type { EntityManager } from 'typeorm';
import { App } from './app.entity.js';
import { SHOWN_COLUMNS, type ShownApp } from './app-response.js';
import { AppErrors } from './apps.errors.js';

/**
 * Locks an app of this developer until the end of the transaction: no other transaction can change
 * it. Take this lock before any other lock on rows of the app.
 *
 * @throws AppError 404 `app.not_found` if there is no such app, or it belongs to another developer.
 */
export async function lockOwnApp(em: EntityManager, appId: string, developerId: string): Promise<ShownApp> {
  const lock = { mode: 'for_no_key_update' } as const;
  const app = await em.findOne(App, { select: SHOWN_COLUMNS, where: { appId, developerId }, lock });
  if (!app) throw AppErrors.notFound();
  return app;
}

/**
 * Locks an app of any developer until the end of the transaction, for the operator: no other
 * transaction can change it. Take this lock before any other lock on rows of the app.
 *
 * @throws AppError 404 `app.not_found` if there is no such app; 403 `app.system` for a system app.
 */
export async function lockAnyApp(em: EntityManager, appId: string): Promise<ShownApp> {
  const lock = { mode: 'for_no_key_update' } as const;
  const app = await em.findOne(App, { select: { ...SHOWN_COLUMNS, system: true }, where: { appId }, lock });
  if (!app) throw AppErrors.notFound();
  if (app.system) throw AppErrors.isSystem();
  return app;
}
