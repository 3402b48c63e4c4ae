import { Injectable } from '@nestjs/common';
import { JobsService } from '@platform/messaging';
import { AppError, currentContext } from '@platform/platform';
import { DataSource } from 'typeorm';
import { isAppRemovalPending } from '../versions/app-sync.jobs.js';
import { deployQueue } from '../versions/deploy.jobs.js';
import { DeployWaitService } from './deploy-wait.service.js';
import { DeployErrors } from '../versions/deploys.errors.js';
import { DocumentCheckService } from '../documents/document-check.service.js';
import { findDocumentIcon } from '../documents/icons.js';
import { AppSyncService } from './app-sync.service.js';
import { DeployStatesService, type DeployWork } from './deploy-states.service.js';
import { RegistryManifestsService, RegistryRefusal } from './registry-manifests.service.js';
import { findVersionProblem } from './version-validation.js';

/** Wait for another deploy of the same app, before this worker runs it itself. */
const OTHER_DEPLOY_WAIT_MS = 1_000;

/**
 * Runs a deploy. The gateway and the Registry service each serve only a version that both have
 * stored, even if the process stops at any point:
 *
 * 1. The gateway stores the version (committed with the deploy).
 * 2. The Registry stores it, without serving it.
 * 3. The gateway serves it.
 * 4. The Registry serves it (`AppSyncService`, which step 3 causes).
 *
 * Each step can be repeated, also by several workers at once.
 */
@Injectable()
export class DeploySagaWorker {
  constructor(
    private readonly dataSource: DataSource,
    private readonly states: DeployStatesService,
    private readonly waits: DeployWaitService,
    private readonly copies: RegistryManifestsService,
    private readonly appSync: AppSyncService,
    private readonly checker: DocumentCheckService,
    jobs: JobsService,
  ) {
    jobs.registerHandlers(deployQueue, {
      run: ({ deploy_id }, { attempt }) => this.runDeploy(deploy_id, attempt >= deployQueue.attempts),
    });
  }

  /**
   * Runs a deploy until its version is served, it waits for a review, or it has failed. Does
   * nothing if it has ended or its app was deleted.
   *
   * @throws the error of a failed attempt, so that the queue retries it. The last attempt does not
   * throw: it fails the deploy.
   */
  async runDeploy(deployId: string, isLastAttempt = false): Promise<void> {
    try {
      await this.finish(deployId);
    } catch (error) {
      const reason = describeFailure(error);
      if (!isLastAttempt) {
        await this.states.recordFailedAttempt(deployId, `${reason} The deploy will be retried.`);
        throw error;
      }
      const work = await this.states.startDeploy(deployId);
      if (work) await this.states.failDeploy(work, `${reason} It was tried ${deployQueue.attempts} times.`);
    }
  }

  private async finish(deployId: string): Promise<void> {
    for (;;) {
      const work = await this.states.startDeploy(deployId);
      if (!work) return;
      const problem = await findVersionProblem(this.checker, work);
      if (problem) return this.states.failDeploy(work, problem);
      const inTheWay = await this.states.startSyncing(work);
      if (inTheWay === null) {
        if (await this.synchronise(work)) return;
      } else {
        // The other worker may be dead. Steps can run twice, so finish its deploy here.
        await this.waits.waitUntilEnded(inTheWay, OTHER_DEPLOY_WAIT_MS);
        await this.finish(inTheWay);
      }
    }
  }

  /**
   * Stores the version at the Registry, then makes the gateway serve it. A refusal of the Registry
   * fails the deploy. Returns false if the app was deleted or the content of its version has
   * changed, so that the work must be read again.
   *
   * @throws AppError 503 `deploy.former_app` while a deleted app with this id is still at the
   * Registry, 503 if the Registry cannot be reached.
   */
  private async synchronise(work: DeployWork): Promise<boolean> {
    if (await isAppRemovalPending(this.dataSource.manager, work.app_id)) throw DeployErrors.formerAppThere();
    try {
      await this.copies.storeManifest(work, {
        manifest: work.manifest,
        is_outside: work.document === null,
        is_replacement: work.is_replacement,
      });
    } catch (error) {
      if (!(error instanceof RegistryRefusal)) throw error;
      // The refusal was about the earlier content of the version.
      if (!(await this.states.isVersionCurrent(work))) return false;
      await this.states.failDeploy(work, error.message);
      return true;
    }
    if (!(await this.states.markStored(work))) {
      // The app may have been deleted, and its removal from the Registry may have run before this
      // push.
      await this.appSync.syncApp(work.app_id);
      return false;
    }
    await this.states.serveVersion(work, await findDocumentIcon(work.document));
    return true;
  }
}

/**
 * Returns the reason of a failed attempt as the developer sees it. Internal errors stay in the log.
 */
function describeFailure(error: unknown): string {
  if (error instanceof AppError) return error.message;
  const requestId = currentContext()?.requestId;
  return `Something went wrong on our side${requestId ? ` (${requestId})` : ''}.`;
}
