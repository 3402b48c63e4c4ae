import { Injectable } from '@nestjs/common';
import { Expiries } from '@platform/persistence';
import { SIGNUP_WAITS_DAYS } from './pending-credentials.js';

/** Deletes signups that were not confirmed in time. */
@Injectable()
export class PendingSignupCleanup {
  constructor(expiries: Expiries) {
    expiries.add({
      table: 'pending_credentials',
      key: 'id',
      where: `created_at < now() - interval '${SIGNUP_WAITS_DAYS + 1} days'`,
    });
  }
}
