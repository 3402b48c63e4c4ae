import { Injectable } from '@nestjs/common';
import { RetentionService } from '@platform/persistence';
import { AccountDeletionService, rowsOfUser } from '../../kernel/account-deletion/account-deletion.service.js';

/** Deletes rules with their user's account, and expired firings. */
@Injectable()
export class RuleCleanupService {
  constructor(expiries: RetentionService, erasures: AccountDeletionService) {
    // Kept longer than an event can be delivered again, to recognise repeated events.
    expiries.registerExpiredRows({
      table: 'automation_fires',
      key: 'id',
      where: "fired_at < now() - interval '14 days' AND status <> 'pending'",
    });
    erasures.addAccessStep(rowsOfUser('automation_rules'));
  }
}
