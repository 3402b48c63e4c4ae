import type { DeployStatus } from '@platform/contracts';
import { Injectable } from '@nestjs/common';
import { Jobs, Notifications } from '@platform/messaging';
import type { EntityManager } from 'typeorm';
import { DeveloperNotices } from '../versions/developer-notices.js';
import { App } from '../../model/app.entity.js';
import { listingChanges } from '../../model/listing-of-document.js';
import { syncPrices } from '../../prices/sync-prices.js';
import { enqueueAppSync } from '../versions/app-sync.jobs.js';
import { DeployMetrics } from '../versions/deploy-metrics.js';
import { servedVersionQueue } from '../versions/served-versions.jobs.js';
import { UNFINISHED } from '../versions/unfinished.js';

/** Notifies of deploys that went on or ended. */
export const DEPLOY_CHANGED = 'deploy-changed';

export interface EndingDeploy {
  deploy_id: string;
  /** The states that it may end from. */
  from: readonly DeployStatus[];
}

export interface ServedDeploy extends EndingDeploy {
  number: number;
  version: string;
  /** Replaces the app's icon; null keeps it. */
  iconSvg: string | null;
}

/** What all hear of, once it is committed. */
export interface DeployEnd {
  deployId: string;
  status: DeployStatus;
  /** From its acceptance until it was served, of a deploy that waited for no review. */
  seconds?: number;
  overtaken?: string[];
}

const SUPERSEDED = "UPDATE deploys SET status = 'superseded', error_message = '', finished_at = now()";

type ServedChanges = Awaited<ReturnType<typeof listingChanges>> & { servedVersion: string };

/**
 * How deploys end, whether a worker or a review ends them. Each way is part of a transaction, for all but `fail` one that has locked the
 * app; what it returns is given to `tell` after the commit, and is null when the deploy was in none of the states that it ends from.
 *
 * The trigger `apps_end_waiting` ends deploys too: those that still wait when an app leaves the marketplace, whatever took it out. `withdraw`
 * comes before it, so that somebody is told.
 */
@Injectable()
export class DeployEnds {
  constructor(
    private readonly jobs: Jobs,
    private readonly notifications: Notifications,
    private readonly metrics: DeployMetrics,
    private readonly notices: DeveloperNotices,
  ) {}

  /**
   * The one way in which an app comes to serve the version of a deploy: its listing says what the document does, its price
   * is that of its functions, older deploys have been overtaken, and the Registry and the users of the app follow.
   *
   * @param write writes the changes to the app, with an entry in the audit log.
   */
  async serve(
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
    const overtaken = await this.overtake(em, appId, number);
    await write({ ...(await listingChanges(em, app, version)), servedVersion: version });
    await syncPrices(em, [appId]); // of the functions that it serves now
    if (iconSvg !== null) await em.update(App, { appId }, { iconSvg });
    await this.notices.ofDeploys(em, [deployId, ...overtaken]);
    await enqueueAppSync(em, this.jobs, appId, { release: true });
    await this.jobs.enqueue(em, servedVersionQueue, 'served', { app_id: appId });
    return { deployId, status: 'success', overtaken, ...(served.seconds !== null && { seconds: served.seconds }) };
  }

  /** Ends the deploys of an app that are older than this one and have not ended. Returns their ids. */
  async overtake(em: EntityManager, appId: string, number: number): Promise<string[]> {
    const [others] = await em.query<[{ deploy_id: string }[], number]>(
      `${SUPERSEDED} WHERE app_id = $1 AND number < $2 AND status = ANY ($3) RETURNING deploy_id`,
      [appId, number, [...UNFINISHED, 'waiting']],
    );
    return others.map(({ deploy_id: id }) => id);
  }

  /** Ends the deploys of an app that wait for a review, since it leaves the marketplace. */
  async withdraw(em: EntityManager, appId: string): Promise<DeployEnd | null> {
    const [ended] = await em.query<[{ deploy_id: string }[], number]>(
      `${SUPERSEDED} WHERE app_id = $1 AND status = 'waiting' RETURNING deploy_id`,
      [appId],
    );
    const ids = ended.map(({ deploy_id: id }) => id);
    await this.notices.ofDeploys(em, ids);
    const [first, ...others] = ids;
    return first === undefined ? null : { deployId: first, status: 'superseded', overtaken: others };
  }

  /** For good. */
  async fail(em: EntityManager, { deploy_id: deployId, from }: EndingDeploy, reason: string): Promise<DeployEnd | null> {
    const [, count] = await em.query<[unknown[], number]>(
      "UPDATE deploys SET status = 'failed', error_message = $2, finished_at = now() WHERE deploy_id = $1 AND status = ANY ($3)",
      [deployId, reason, from],
    );
    if (!count) return null;
    await this.notices.ofDeploys(em, [deployId]);
    return { deployId, status: 'failed' };
  }

  /** Counts what ended, and wakes who waits for it. */
  async tell(end: DeployEnd | null): Promise<void> {
    if (!end) return;
    const { deployId, status, seconds, overtaken = [] } = end;
    if (seconds !== undefined) this.metrics.served(seconds);
    this.metrics.finished(status);
    this.metrics.finished('superseded', overtaken.length);
    await this.notifications.publish(DEPLOY_CHANGED, [deployId, ...overtaken]);
  }
}
