import { Inject, Injectable } from '@nestjs/common';
import { Jobs } from '@platform/messaging';
import { lastingNarrowing, narrower, type Narrowing, type UserCaller } from '@platform/guards';
import type { EntityManager } from 'typeorm';
import { enqueueAppSync } from '../../deploys/app-sync.jobs.js';
import { narrowUnfinished } from '../../deploys/versions.js';
import { App, type AppStatus } from '../app.entity.js';
import { reviewedSha256 } from '../reviews/reviewed-content.js';
import { recordAppAudit } from './app-audit.js';
import { SHOWN_COLUMNS, type ShownApp } from './app-response.js';
import { AppErrors } from './apps.errors.js';

interface Move {
  action: string;
  /** The statuses that it starts from. */
  from: readonly AppStatus[];
  changes: Partial<ShownApp> & { status: AppStatus };
  /** Its developer, where it is they who move it. */
  by?: UserCaller;
}

/** The one way in which an app changes: with an entry in the audit log, and with the Registry brought in line after the commit. */
@Injectable()
export class AppWriter {
  constructor(@Inject(Jobs) private readonly jobs: Jobs) {}

  /** @param before the app, which the transaction has locked. Returns what became of it. */
  async write(em: EntityManager, before: ShownApp, changes: Partial<ShownApp>, action: string): Promise<ShownApp> {
    const { appId, status } = before;
    const { affected } = await em.update(App, { appId, status }, { ...changes, updatedAt: () => 'now()' } as object);
    if (!affected) throw AppErrors.wrongStatus(status);
    const after = await em.findOneOrFail(App, { select: SHOWN_COLUMNS, where: { appId } });
    await recordAppAudit(em, { action, before, after });
    await enqueueAppSync(em, this.jobs, appId);
    return after;
  }

  /**
   * Changes the status. What is no longer published acts for its developer, who need not have it installed: no further than whoever of
   * theirs took it out, nor does what is about to be served by deploys that were asked for before. Those that are asked for afterwards are
   * as wide as whoever asks for them.
   *
   * @throws AppError 409 when the app has none that this starts from.
   */
  async move(em: EntityManager, before: ShownApp, { action, from, changes, by }: Move): Promise<ShownApp> {
    if (!from.includes(before.status)) throw AppErrors.wrongStatus(before.status);
    if (before.status === 'active' && changes.status !== 'active' && by) await narrow(em, before, lastingNarrowing(by));
    const leaves = before.status === 'active' && changes.status !== 'active' && before.servedVersion !== null;
    const left = leaves ? { publishedSha256: await reviewedSha256(em, before.appId, before.servedVersion as string) } : {};
    return this.write(em, before, { ...changes, ...left }, action);
  }
}

/**
 * Narrows what the app serves, and its deploys that are under way. A deploy locks the app when it ends, too: one that ended before this is what
 * the app serves by now, and one that ends afterwards finds itself narrowed.
 */
async function narrow(em: EntityManager, { appId, servedVersion }: ShownApp, narrowing: Narrowing | null): Promise<void> {
  if (!narrowing) return;
  const [served] = await em.query<{ narrowing: Narrowing | null }[]>(
    'SELECT narrowing FROM app_versions WHERE app_id = $1 AND version = $2 FOR NO KEY UPDATE',
    [appId, servedVersion],
  );
  await em.query('UPDATE app_versions SET narrowing = $3 WHERE app_id = $1 AND version = $2', [
    appId,
    servedVersion,
    JSON.stringify(narrower(served?.narrowing ?? null, narrowing)),
  ]);
  await narrowUnfinished(em, { appId }, narrowing);
}
