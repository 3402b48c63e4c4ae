import { Injectable } from '@nestjs/common';
import { Jobs } from '@platform/messaging';
import { DataSource } from 'typeorm';
import { accountQueue } from './provisioning.jobs.js';

/** Gives the user something they need. May run again for the same user, and must then change nothing. */
export type ProvisioningStep = (userId: string) => Promise<void>;

/** What every new user gets, soon after they were created: each feature adds its own, such as a wallet or the system apps. */
@Injectable()
export class Provisioning {
  private readonly steps: ProvisioningStep[] = [];

  constructor(
    private readonly dataSource: DataSource,
    jobs: Jobs,
  ) {
    jobs.process(accountQueue, { 'user-created': ({ user_id }) => this.provision(user_id) });
  }

  /** Call it in the constructor of a provider. */
  add(step: ProvisioningStep): void {
    this.steps.push(step);
  }

  private async provision(userId: string): Promise<void> {
    for (const step of this.steps) await step(userId);
    await this.dataSource.query('UPDATE users SET provisioned_at = coalesce(provisioned_at, now()) WHERE id = $1', [userId]);
  }
}
