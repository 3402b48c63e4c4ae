import type { DeployStatus } from '@platform/contracts';
import { Injectable } from '@nestjs/common';
import { JobsService, BroadcastService } from '@platform/messaging';
import type { EntityManager } from 'typeorm';
import { DeveloperNoticesService } from '../versions/developer-notices.service.js';
import { App } from '../../model/app.entity.js';
import { findListingChanges } from '../../model/listing-changes.js';
import { syncPrices } from '../../prices/sync-prices.js';
import { enqueueAppSync } from '../versions/app-sync.jobs.js';
import { DeployMetricsService } from '../versions/deploy-metrics.service.js';
import { servedVersionQueue } from '../versions/served-versions.jobs.js';
import { UNFINISHED } from '../versions/unfinished-deploys.js';

/** Notification channel for deploys that progressed or ended. */
export const DEPLOY_CHANGED = 'deploy-changed';

export interface EndingDeploy {
  deploy_id: string;
  /** States from which the deploy can end. */
  from: readonly DeployStatus[];
}

export interface ServedDeploy extends EndingDeploy {
  number: number;
  version: string;
  /** Replaces the app's icon; null keeps it. */
  iconSvg: string | null;
}

/** Result to report after the commit. */
export interface DeployEnd {
  deployId: string;
  status: DeployStatus;
  /**
   * Seconds from the request until the version was served. Missing if the deploy waited for a
   * review.
   */
  seconds?: number;
  superseded?: string[];
}

const SUPERSEDED = "UPDATE deploys SET status = 'superseded', error_message = '', finished_at = now()";

type ServedChanges = Awaited<ReturnType<typeof findListingChanges>> & { servedVersion: string };

/**
 * Ends deploys, for a worker or a review. Each method runs inside a transaction, and all except
 * `failDeploy` need a lock on the app. Pass the result to `notifyDeployEnd` after the commit.
 *
 * The trigger `apps_end_waiting` also ends deploys: those that wait for a review when their app
 * leaves the marketplace. Call `supersedeWaitingDeploy` first, so that the developer is notified.
 */
@Injectable()
export class DeployCompletionService {
  constructor(
    private readonly jobs: JobsService,
    private readonly broadcast: BroadcastService,
    private readonly metrics: DeployMetricsService,
    private readonly notices: DeveloperNoticesService,
  ) {}

  /**
   * Makes the app serve (run) the version of a deploy. This is the only place that does. It updates
   * the listing from the document and the price from the functions, supersedes older deploys, and
   * enqueues the sync to the Registry and to the users of the app.
   *
   * @param write writes the changes to the app, with an audit entry.
   * @returns null if the deploy was in none of the states `from`; then nothing has changed.
   */
  async serveVersion(
    em: EntityManager,
    app: { appId: string; servedVersion: string | null },
    { deploy_id: deployId, from, number, version, iconSvg }: ServedDeploy,
    write: (changes: ServedChanges) => Promise<unknown>,
  ): Promise<DeployEnd | null> {
    const { appId } = app;
    const [[served]] = await em.query<[{ seconds: number | null }[], number]>(
      `UPDATE deploys SET status = 'success', error_message = '', finished_at = now() WHERE deploy_id = $1 AND status = ANY ($2)
       RETURNING CASE WHEN waits_for IS NULL THEN extract(epoch FROM now() - created_at)::float END AS seconds`,
      [deployId, from],
    );
    if (!served) return null;
    const overtaken = await this.supersedeOlderDeploys(em, appId, number);
    await write({ ...(await findListingChanges(em, app, version)), servedVersion: version });
    await syncPrices(em, [appId]); // reads the functions of the version that is now served
    if (iconSvg !== null) await em.update(App, { appId }, { iconSvg });
    await this.notices.notifyOfDeploys(em, [deployId, ...overtaken]);
    await enqueueAppSync(em, this.jobs, appId, { release: true });
    await this.jobs.enqueue(em, servedVersionQueue, 'served', { app_id: appId });
    return {
      deployId,
      status: 'success',
      superseded: overtaken,
      ...(served.seconds !== null && { seconds: served.seconds }),
    };
  }

  /**
   * Supersedes the deploys of the app that have a lower number and are in progress or wait for a
   * review. Returns their ids.
   */
  async supersedeOlderDeploys(em: EntityManager, appId: string, number: number): Promise<string[]> {
    const [others] = await em.query<[{ deploy_id: string }[], number]>(
      `${SUPERSEDED} WHERE app_id = $1 AND number < $2 AND status = ANY ($3) RETURNING deploy_id`,
      [appId, number, [...UNFINISHED, 'waiting']],
    );
    return others.map(({ deploy_id: id }) => id);
  }

  /**
   * Supersedes the deploy that waits for a review, because the app leaves the marketplace. Returns
   * null if none waits.
   */
  async supersedeWaitingDeploy(em: EntityManager, appId: string): Promise<DeployEnd | null> {
    const [ended] = await em.query<[{ deploy_id: string }[], number]>(
      `${SUPERSEDED} WHERE app_id = $1 AND status = 'waiting' RETURNING deploy_id`,
      [appId],
    );
    const ids = ended.map(({ deploy_id: id }) => id);
    await this.notices.notifyOfDeploys(em, ids);
    const [first, ...others] = ids;
    return first === undefined ? null : { deployId: first, status: 'superseded', superseded: others };
  }

  /**
   * Ends the deploy as failed, permanently. Returns null if it was in none of the states `from`.
   */
  async failDeploy(
    em: EntityManager,
    { deploy_id: deployId, from }: EndingDeploy,
    reason: string,
  ): Promise<DeployEnd | null> {
    const [, count] = await em.query<[unknown[], number]>(
      "UPDATE deploys SET status = 'failed', error_message = $2, finished_at = now() WHERE deploy_id = $1 AND status = ANY ($3)",
      [deployId, reason, from],
    );
    if (!count) return null;
    await this.notices.notifyOfDeploys(em, [deployId]);
    return { deployId, status: 'failed' };
  }

  /**
   * Counts the ended deploys in the metrics and notifies the callers that wait for them. Does
   * nothing for null.
   */
  async notifyDeployEnd(end: DeployEnd | null): Promise<void> {
    if (!end) return;
    const { deployId, status, seconds, superseded: overtaken = [] } = end;
    if (seconds !== undefined) this.metrics.observeServed(seconds);
    this.metrics.countFinished(status);
    this.metrics.countFinished('superseded', overtaken.length);
    await this.broadcast.publish(DEPLOY_CHANGED, [deployId, ...overtaken]);
  }
}
