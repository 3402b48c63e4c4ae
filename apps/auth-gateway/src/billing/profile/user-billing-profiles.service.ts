import { Injectable } from '@nestjs/common';
import { BillingProfilesRepository } from '@platform/billing';
import type { BillingProfile, BillingProfileUpdate } from '@platform/contracts';
import type { UserCaller } from '@platform/guards';
import { JobsService, BroadcastService } from '@platform/messaging';
import { Outbox, TenantData } from '@platform/persistence';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import { AccountDeletionService } from '../../kernel/account-deletion/account-deletion.service.js';
import { UserErrors } from '../../identity/accounts/users.errors.js';
import { USER_CHANGED } from '../../identity/sessions/signed-in-users.service.js';
import { paymentQueue } from '../payments/provider-events/payment.jobs.js';

/** Billing profiles of users. `GET /v1/auth/me` shows them. */
@Injectable()
export class UserBillingProfilesService {
  constructor(
    private readonly outbox: Outbox,
    private readonly jobs: JobsService,
    private readonly profiles: BillingProfilesRepository,
    private readonly broadcast: BroadcastService,
    accountDeletion: AccountDeletionService,
  ) {
    accountDeletion.addDataStep((tenant, userId) => profiles.deleteProfile(tenant, userId));
  }

  /**
   * Changes the billing profile and returns all of it. An absent key stays as it is; null clears
   * it. Issued invoices do not change.
   *
   * @throws AppError 404 `user.not_found` for a deleted user.
   */
  async updateBillingProfile({ userId, tenantId }: UserCaller, request: BillingProfileUpdate): Promise<BillingProfile> {
    const changes = Object.fromEntries(
      Object.entries(request).filter(([, value]) => value !== undefined),
    ) as Partial<BillingProfile>;
    const { profile, changed } = await this.outbox.transaction(async (em) => {
      const result = await this.profiles.updateProfile(new TenantData(em, tenantId), userId, changes);
      if (!result) throw UserErrors.notFound();
      if (result.changed.length) {
        // The audit log keeps only the names of the fields, because it keeps everything for ever.
        const target = { type: 'user', id: userId };
        await recordAudit(em, {
          action: 'user.billing_profile_changed',
          target,
          tenantId,
          metadata: { changed: result.changed },
        });
        await this.jobs.enqueue(em, paymentQueue, 'profile', { user_id: userId });
      }
      return result;
    });
    if (changed.length) await this.broadcast.publish(USER_CHANGED, [userId]);
    const { name, company, vat, country } = profile;
    return { name, company, vat, country };
  }
}
