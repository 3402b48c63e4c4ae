import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ShownApp } from '../../model/app-response.js';
import { publishDeployChanges, type ChangedDeploy } from './deploy-events.js';

interface OfDeveloper {
  app_id: string;
  developer_id: string;
  tenant_id: string;
}

/** Outcome of the first review of an app. */
export type ReviewOutcome = { kind: 'published' } | { kind: 'sent_back'; reason: string };

/** A message to a developer about one of their apps. */
export type DeveloperNotice = OfDeveloper &
  ((Pick<ChangedDeploy, 'version' | 'status' | 'error_message'> & { kind: 'deploy' }) | ReviewOutcome);

/** Runs in the transaction of the change. */
export type DeveloperListener = (em: EntityManager, notice: DeveloperNotice) => Promise<void>;

/**
 * Passes notices for developers to the registered listeners, for example to the one that sends
 * mails.
 */
@Injectable()
export class DeveloperNoticesService {
  private readonly listeners: DeveloperListener[] = [];

  /** Registers a listener for all notices. Call it in the constructor of a provider. */
  onNotice(listener: DeveloperListener): void {
    this.listeners.push(listener);
  }

  /**
   * Notifies the developers of deploys that have ended or wait for a review, and publishes
   * `deploy.changed`. Call it in the transaction that changed them.
   */
  async notifyOfDeploys(em: EntityManager, deployIds: readonly string[]): Promise<void> {
    for (const deploy of await publishDeployChanges(em, deployIds))
      await this.notifyListeners(em, { kind: 'deploy', ...deploy });
  }

  /**
   * Notifies the developer of an app of the outcome of its review, in the transaction of the
   * decision. Does nothing if the app has no developer.
   */
  async notifyOfReview(em: EntityManager, { appId, developerId }: ShownApp, outcome: ReviewOutcome): Promise<void> {
    const [developer] = await em.query<{ tenant_id: string }[]>('SELECT tenant_id FROM users WHERE id = $1', [
      developerId,
    ]);
    if (developerId === null || !developer) return;
    await this.notifyListeners(em, {
      app_id: appId,
      developer_id: developerId,
      tenant_id: developer.tenant_id,
      ...outcome,
    });
  }

  private async notifyListeners(em: EntityManager, notice: DeveloperNotice): Promise<void> {
    for (const listener of this.listeners) await listener(em, notice);
  }
}
