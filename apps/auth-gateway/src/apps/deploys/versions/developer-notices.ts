import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ShownApp } from '../../model/app-response.js';
import { publishDeployChanges, type ChangedDeploy } from './deploy-events.js';

interface OfDeveloper {
  app_id: string;
  developer_id: string;
  tenant_id: string;
}

/** How the first review of an app came out. */
export type ReviewOutcome = { kind: 'published' } | { kind: 'sent_back'; reason: string };

/** What a developer should hear of an app of theirs. */
export type DeveloperNotice = OfDeveloper &
  ((Pick<ChangedDeploy, 'version' | 'status' | 'error_message'> & { kind: 'deploy' }) | ReviewOutcome);

/** Called in the transaction of what it is about. */
export type DeveloperListener = (em: EntityManager, notice: DeveloperNotice) => Promise<void>;

/** Tells whoever wants to hear of it, such as what writes to users. */
@Injectable()
export class DeveloperNotices {
  private readonly listeners: DeveloperListener[] = [];

  /** Call it in the constructor of a provider. */
  onNotice(listener: DeveloperListener): void {
    this.listeners.push(listener);
  }

  /** These deploys have ended, or wait for a review: it publishes that, too. In the transaction that changed them. */
  async ofDeploys(em: EntityManager, deployIds: readonly string[]): Promise<void> {
    for (const deploy of await publishDeployChanges(em, deployIds)) await this.tell(em, { kind: 'deploy', ...deploy });
  }

  /** In the transaction of the review. Nobody hears of an app that has no developer. */
  async ofReview(em: EntityManager, { appId, developerId }: ShownApp, outcome: ReviewOutcome): Promise<void> {
    const [developer] = await em.query<{ tenant_id: string }[]>('SELECT tenant_id FROM users WHERE id = $1', [developerId]);
    if (developerId === null || !developer) return;
    await this.tell(em, { app_id: appId, developer_id: developerId, tenant_id: developer.tenant_id, ...outcome });
  }

  private async tell(em: EntityManager, notice: DeveloperNotice): Promise<void> {
    for (const listener of this.listeners) await listener(em, notice);
  }
}
