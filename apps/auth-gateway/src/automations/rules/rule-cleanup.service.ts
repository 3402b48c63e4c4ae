import { Injectable } from '@nestjs/common';
import { Expiries } from '@platform/persistence';
import { Erasures, rowsOfUser } from '../../kernel/account-deletion/account-deletion.service.js';

/** Deletes rules with their user's account, and expired firings. */
@Injectable()
export class RuleCleanup {
  constructor(expiries: Expiries, erasures: Erasures) {
    // Kept longer than an event can be delivered again, to recognise repeated events.
    expiries.add({
      table: 'automation_fires',
      key: 'id',
      where: "fired_at < now() - interval '14 days' AND status <> 'pending'",
    });
    erasures.addAccessStep(rowsOfUser('automation_rules'));
  }
}
