import { Injectable } from '@nestjs/common';
import { RetentionService } from '@platform/persistence';
import { AccountDeletionService, rowsOfUser } from '../../kernel/account-deletion/account-deletion.service.js';

/** Deletes rules with their user's account, and expired firings. */
@Injectable()
export class RuleCleanupService {
  constructor(retention: RetentionService, accountDeletion: AccountDeletionService) {
    // Kept longer than an event can be delivered again, to recognise repeated events.
    retention.registerExpiredRows({
      table: 'automation_fires',
      key: 'id',
      where: "fired_at < now() - interval '14 days' AND status <> 'pending'",
    });
    accountDeletion.addAccessStep(rowsOfUser('automation_rules'));
  }
}
