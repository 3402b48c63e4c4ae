import { Injectable } from '@nestjs/common';
import { JobsService } from '@platform/messaging';
import { lastingNarrowing, intersectNarrowings, type Narrowing, type UserCaller } from '@platform/guards';
import type { Row } from '@platform/persistence';
import type { EntityManager } from 'typeorm';
import { enqueueAppSync } from '../deploys/versions/app-sync.jobs.js';
import { DeployCompletionService, type DeployEnd } from '../deploys/saga/deploy-completion.service.js';
import { narrowUnfinishedDeploys } from '../deploys/versions/versions.js';
import { App, type AppStatus } from '../model/app.entity.js';
import { computeReviewedSha256 } from '../model/reviewed-content.js';
import { recordAppAudit } from '../model/app-audit.js';
import { SHOWN_COLUMNS, type ShownApp } from '../model/app-response.js';
import { AppErrors } from '../model/apps.errors.js';
import { syncPrices } from '../prices/sync-prices.js';
import type { AppVersion } from '../model/app-version.entity.js';

interface Move {
  action: string;
  /** Statuses from which the move is allowed. */
  from: readonly AppStatus[];
  changes: Partial<ShownApp> & { status: AppStatus };
  /** The developer, if they make the move themselves. */
  by?: UserCaller;
}

/**
 * Writes changes of apps, each with an audit entry, an update of the price, and a sync to the
 * Registry service after the commit.
 */
@Injectable()
export class AppUpdatesService {
  constructor(
    private readonly jobs: JobsService,
    private readonly ends: DeployCompletionService,
  ) {}

  /**
   * Changes the app and returns it as it is after the change.
   *
   * @param before the app, which the transaction has locked.
   * @throws AppError 409 `app.wrong_status` if the app no longer has the status in `before`.
   */
  async applyChanges(
    em: EntityManager,
    before: ShownApp,
    changes: Partial<ShownApp>,
    action: string,
  ): Promise<ShownApp> {
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
   * Changes the status. An app that leaves the marketplace acts for its developer again, without an
   * install, and a version that waits for a review is withdrawn. If the developer withdraws the app
   * (`by`), the credential of that request limits the served version and all deploys in progress.
   * Later deploys have the limits of their own credentials.
   *
   * @returns the changed app, and the withdrawn deploy for
   * `DeployCompletionService.notifyDeployEnd` after the commit; null if none was.
   * @throws AppError 409 `app.wrong_status` if the app is not in one of the statuses `from`.
   */
  async changeStatus(
    em: EntityManager,
    before: ShownApp,
    { action, from, changes, by }: Move,
  ): Promise<{ app: ShownApp; end: DeployEnd | null }> {
    const { appId, status, servedVersion } = before;
    if (!from.includes(status)) throw AppErrors.wrongStatus(status);
    const leaves = status === 'active' && changes.status !== 'active';
    if (leaves && by) await narrow(em, before, lastingNarrowing(by));
    const end = leaves ? await this.ends.supersedeWaitingDeploy(em, appId) : null;
    const left =
      leaves && servedVersion !== null
        ? { publishedSha256: await computeReviewedSha256(em, appId, servedVersion) }
        : {};
    return { app: await this.applyChanges(em, before, { ...changes, ...left }, action), end };
  }
}

/**
 * Limits the permissions of the served version and of the deploys in progress; null sets no limit.
 * The end of a deploy locks the app too: a deploy that ended earlier is the served version, and a
 * deploy that ends later is already limited.
 */
async function narrow(
  em: EntityManager,
  { appId, servedVersion }: ShownApp,
  narrowing: Narrowing | null,
): Promise<void> {
  if (!narrowing) return;
  const [served] = await em.query<Row<AppVersion, 'narrowing'>[]>(
    'SELECT narrowing FROM app_versions WHERE app_id = $1 AND version = $2 FOR NO KEY UPDATE',
    [appId, servedVersion],
  );
  await em.query('UPDATE app_versions SET narrowing = $3 WHERE app_id = $1 AND version = $2', [
    appId,
    servedVersion,
    JSON.stringify(intersectNarrowings(served?.narrowing ?? null, narrowing)),
  ]);
  await narrowUnfinishedDeploys(em, { appId }, narrowing);
}
