import { Injectable } from '@nestjs/common';
import { Jobs } from '@platform/messaging';
import { TenantData } from '@platform/persistence';
import { DataSource } from 'typeorm';
import { Erasures } from '../../kernel/erasure/erasures.js';
import { accountQueue } from './provisioning.jobs.js';

/** Gives the user something they need. May run again for the same user, and must then change nothing. */
export type ProvisioningStep = (userId: string) => Promise<void>;

/** What every new user gets, soon after they were created: each feature adds its own, such as a wallet or the system apps. */
@Injectable()
export class Provisioning {
  private readonly steps: ProvisioningStep[] = [];

  constructor(
    private readonly dataSource: DataSource,
    private readonly erasures: Erasures,
    jobs: Jobs,
  ) {
    jobs.process(accountQueue, {
      'user-created': ({ user_id }) => this.provision(user_id),
      'user-replaced': ({ tenant_id, user_id }) => this.erase(tenant_id, user_id),
    });
  }

  /** Call it in the constructor of a provider. */
  add(step: ProvisioningStep): void {
    this.steps.push(step);
  }

  /** All that is kept of a user whose row says already that they are erased: they get nothing new. */
  private erase(tenantId: string, userId: string): Promise<void> {
    return this.dataSource.transaction(async (em) => {
      const erased = await em.query<unknown[]>(
        'SELECT 1 FROM users WHERE tenant_id = $1 AND id = $2 AND erased_at IS NOT NULL FOR UPDATE',
        [tenantId, userId],
      );
      if (erased.length) await this.erasures.run(new TenantData(em, tenantId), userId);
    });
  }

  private async provision(userId: string): Promise<void> {
    // Each step sees to it as well: the user may be erased meanwhile.
    const here = await this.dataSource.query<unknown[]>('SELECT 1 FROM users WHERE id = $1 AND erased_at IS NULL', [userId]);
    if (!here.length) return;
    for (const step of this.steps) await step(userId);
    await this.dataSource.query('UPDATE users SET provisioned_at = coalesce(provisioned_at, now()) WHERE id = $1', [userId]);
  }
}
