import { Injectable } from '@nestjs/common';
import { Expiries } from '@platform/persistence';
import { Erasures, rowsOfUser } from '../../kernel/erasure/erasures.js';

/** What happens to rules and their firings by themselves: rules go with their user, and firings that ended expire. */
@Injectable()
export class RuleCleanup {
  constructor(expiries: Expiries, erasures: Erasures) {
    // Longer than an event could come again.
    expiries.add({ table: 'automation_fires', key: 'id', where: "fired_at < now() - interval '14 days' AND status <> 'pending'" });
    erasures.addAccessStep(rowsOfUser('automation_rules'));
  }
}
