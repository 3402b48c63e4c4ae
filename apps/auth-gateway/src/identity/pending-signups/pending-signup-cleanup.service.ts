import { Injectable } from '@nestjs/common';
import { RetentionService } from '@platform/persistence';
import { SIGNUP_LIFETIME_DAYS } from './pending-credentials.js';

/** Deletes signups that were not confirmed in time. */
@Injectable()
export class PendingSignupCleanupService {
  constructor(retention: RetentionService) {
    retention.registerExpiredRows({
      table: 'pending_credentials',
      key: 'id',
      where: `created_at < now() - interval '${SIGNUP_LIFETIME_DAYS + 1} days'`,
    });
  }
}
