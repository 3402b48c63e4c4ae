import { Inject, Injectable } from '@nestjs/common';
import { SUBSCRIPTION_BATCH, SubscriptionsService } from '@platform/billing';
import { MaintenanceTasksService } from '@platform/messaging';
import { runInTurn } from '@platform/persistence';
import { LOGGER } from '@platform/platform';
import type { Logger } from 'pino';
import { ProvisioningService } from '../../identity/provisioning/provisioning.service.js';
import { AccountDeletionService, rowsOfUser } from '../../kernel/account-deletion/account-deletion.service.js';

const MINUTE_MS = 60_000;
/** Time between two complete rounds. New users get their plan by provisioning. */
const NEXT_LOOK_MS = 60 * MINUTE_MS;

/** Gives a plan to users without one, and opens the next period of plans. */
@Injectable()
export class PlanUpkeepWorker {
  /** Id of the last user that was looked at. */
  private lastUser = '';
  private nextLookAt = 0;

  constructor(
    private readonly subscriptions: SubscriptionsService,
    provisioning: ProvisioningService,
    accountDeletion: AccountDeletionService,
    tasks: MaintenanceTasksService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    provisioning.addStep((userId) => subscriptions.ensureFreePlan(userId));
    accountDeletion.addAccessStep((tenant, userId) => subscriptions.cancelSubscriptions(tenant, userId));
    accountDeletion.addDataStep(rowsOfUser('usage_counters'));
    tasks.scheduleTask(MINUTE_MS, 'plan-periods', () => this.openDuePeriods());
    tasks.scheduleTask(MINUTE_MS, 'plans-of-users-without-one', () => this.lookForMissing());
  }

  async openDuePeriods(): Promise<void> {
    const areOpen = await runInTurn([() => this.subscriptions.openPeriods((id, error) => this.logFailure(id, error))], {
      full: SUBSCRIPTION_BATCH,
    });
    if (!areOpen) this.logger.info('more periods of plans are due than can be opened in one minute');
  }

  /**
   * Gives the free plan to users who were created more than an hour ago and have no plan, in the
   * order of their ids: their process may have died after their paid plan had ended. False if the
   * time was too short for all of them.
   */
  subscribeMissing(): Promise<boolean> {
    return runInTurn([() => this.subscribeBatch()], { full: SUBSCRIPTION_BATCH });
  }

  private logFailure(subscription_id: string, err: unknown): void {
    this.logger.error({ err, subscription_id }, 'the period of a subscription could not be opened; it is retried');
  }

  private async lookForMissing(): Promise<void> {
    if (performance.now() >= this.nextLookAt && (await this.subscribeMissing()))
      this.nextLookAt = performance.now() + NEXT_LOOK_MS;
  }

  private async subscribeBatch(): Promise<number> {
    const ids = await this.subscriptions.ensureFreePlans(this.lastUser);
    this.lastUser = ids.length < SUBSCRIPTION_BATCH ? '' : (ids.at(-1) ?? '');
    return ids.length;
  }
}
