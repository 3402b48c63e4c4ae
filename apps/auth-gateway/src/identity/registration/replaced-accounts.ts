import { Injectable } from '@nestjs/common';
import { Jobs } from '@platform/messaging';
import { TenantData } from '@platform/persistence';
import { DataSource } from 'typeorm';
import { Erasures } from '../../kernel/erasure/erasures.js';
import { replacedAccountQueue } from './replaced-accounts.jobs.js';

/** Deletes the data of accounts that a new account has replaced. */
@Injectable()
export class ReplacedAccounts {
  constructor(
    private readonly dataSource: DataSource,
    private readonly erasures: Erasures,
    jobs: Jobs,
  ) {
    jobs.process(replacedAccountQueue, { erase: ({ tenant_id, user_id }) => this.erase(tenant_id, user_id) });
  }

  /**
   * Deletes the remaining data of a replaced account. Does nothing unless the account is marked as
   * deleted; the creation of the new account did that, so no new data is written for it. Safe to
   * retry.
   */
  private erase(tenantId: string, userId: string): Promise<void> {
    return this.dataSource.transaction(async (em) => {
      const tenant = new TenantData(em, tenantId);
      const erased = await tenant.query('SELECT 1 FROM users WHERE tenant_id = $tenant AND id = $1 AND erased_at IS NOT NULL FOR UPDATE', [
        userId,
      ]);
      if (erased.length) await this.erasures.run(tenant, userId);
    });
  }
}
