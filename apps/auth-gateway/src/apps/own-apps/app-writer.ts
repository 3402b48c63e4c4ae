import { Injectable } from '@nestjs/common';
import { Jobs } from '@platform/messaging';
import { lastingNarrowing, narrower, type Narrowing, type UserCaller } from '@platform/guards';
import type { Row } from '@platform/persistence';
import type { EntityManager } from 'typeorm';
import { enqueueAppSync } from '../deploys/versions/app-sync.jobs.js';
import { DeployEnds, type DeployEnd } from '../deploys/saga/deploy-ends.js';
import { narrowUnfinished } from '../deploys/versions/versions.js';
import { App, type AppStatus } from '../model/app.entity.js';
import { reviewedSha256 } from '../model/reviewed-content.js';
import { recordAppAudit } from '../model/app-audit.js';
import { SHOWN_COLUMNS, type ShownApp } from '../model/app-response.js';
import { AppErrors } from '../model/apps.errors.js';
import { syncPrices } from '../prices/sync-prices.js';
import type { AppVersion } from '../model/app-version.entity.js';

interface Move {
  action: string;
  /** The statuses that it starts from. */
  from: readonly AppStatus[];
  changes: Partial<ShownApp> & { status: AppStatus };
  /** Its developer, where it is they who move it. */
  by?: UserCaller;
}

/** The one way in which an app changes: with an entry in the audit log, with the price that it has by then, and with the Registry brought in line after the commit. */
@Injectable()
export class AppWriter {
  constructor(
    private readonly jobs: Jobs,
    private readonly ends: DeployEnds,
  ) {}

  /** @param before the app, which the transaction has locked. Returns what became of it. */
  async write(em: EntityManager, before: ShownApp, changes: Partial<ShownApp>, action: string): Promise<ShownApp> {
    const { appId, status } = before;
    const { affected } = await em.update(App, { appId, status }, { ...changes, updatedAt: () => 'now()' } as object);
    if (!affected) throw AppErrors.wrongStatus(status);
    await syncPrices(em, [appId]);
    const after = await em.findOneOrFail(App, { select: SHOWN_COLUMNS, where: { appId } });
    await recordAppAudit(em, { action, before, after });
    await enqueueAppSync(em, this.jobs, appId);
    return after;
  }

  /**
   * Changes the status. What is no longer published acts for its developer, who need not have it installed: no further than whoever of
   * theirs took it out, nor does what is about to be served by deploys that were asked for before. Those that are asked for afterwards are
   * as wide as whoever asks for them. What waits for a review of what is published waits no more.
   *
   * @returns what became of it, and of what waited: for `DeployEnds.tell` after the commit.
   * @throws AppError 409 when the app has none that this starts from.
   */
  async move(em: EntityManager, before: ShownApp, { action, from, changes, by }: Move): Promise<{ app: ShownApp; end: DeployEnd | null }> {
    const { appId, status, servedVersion } = before;
    if (!from.includes(status)) throw AppErrors.wrongStatus(status);
    const leaves = status === 'active' && changes.status !== 'active';
    if (leaves && by) await narrow(em, before, lastingNarrowing(by));
    const end = leaves ? await this.ends.withdraw(em, appId) : null;
    const left = leaves && servedVersion !== null ? { publishedSha256: await reviewedSha256(em, appId, servedVersion) } : {};
    return { app: await this.write(em, before, { ...changes, ...left }, action), end };
  }
}

/**
 * Narrows what the app serves, and its deploys that are under way. A deploy locks the app when it ends, too: one that ended before this is what
 * the app serves by now, and one that ends afterwards finds itself narrowed.
 */
async function narrow(em: EntityManager, { appId, servedVersion }: ShownApp, narrowing: Narrowing | null): Promise<void> {
  if (!narrowing) return;
  const [served] = await em.query<Row<AppVersion, 'narrowing'>[]>(
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
