import { Injectable } from '@nestjs/common';
import { JobsService } from '@platform/messaging';
import { DataSource } from 'typeorm';
import { accountQueue } from './provisioning.jobs.js';

/** Sets up data for a new user. It can run again for the same user and must then change nothing. */
export type ProvisioningStep = (userId: string) => Promise<void>;

/**
 * Runs the steps that set up a new user, soon after the creation. Each feature adds its own, for
 * example for a wallet or the system apps.
 */
@Injectable()
export class ProvisioningService {
  private readonly steps: ProvisioningStep[] = [];

  constructor(
    private readonly dataSource: DataSource,
    jobs: JobsService,
  ) {
    jobs.registerHandlers(accountQueue, { 'user-created': ({ user_id }) => this.provisionUser(user_id) });
  }

  /**
   * Adds a step, which runs for each new user after the earlier ones. Call it in the constructor of
   * a provider.
   */
  addStep(step: ProvisioningStep): void {
    this.steps.push(step);
  }

  private async provisionUser(userId: string): Promise<void> {
    // Each step must check this as well, because the account can be deleted in the meantime.
    const here = await this.dataSource.query<unknown[]>('SELECT 1 FROM users WHERE id = $1 AND erased_at IS NULL', [
      userId,
    ]);
    if (!here.length) return;
    for (const step of this.steps) await step(userId);
    await this.dataSource.query('UPDATE users SET provisioned_at = coalesce(provisioned_at, now()) WHERE id = $1', [
      userId,
    ]);
  }
}
