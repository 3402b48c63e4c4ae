import { Injectable } from '@nestjs/common';
import { SpendingSettingsService, type SpendingLimitsByClass } from '@platform/billing';
import type { SpendingResponse, UpdateSpendingRequest } from '@platform/contracts';
import type { UserCaller } from '@platform/guards';
import { TenantData } from '@platform/persistence';
import { DataSource } from 'typeorm';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import { AccountDeletionService, rowsOfUser } from '../../kernel/account-deletion/account-deletion.service.js';

/** Limits of users for spending without them. */
@Injectable()
export class UserSpendingService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly settings: SpendingSettingsService,
    accountDeletion: AccountDeletionService,
  ) {
    accountDeletion.addDataStep(rowsOfUser('spending_limits'));
  }

  getSpending({ tenantId, userId }: UserCaller): Promise<SpendingResponse> {
    return this.readSpending(new TenantData(this.dataSource.manager, tenantId), userId);
  }

  /**
   * Changes limits and returns all of them, with the credits spent this month. An absent limit
   * stays as it is; null removes the limit.
   *
   * @throws AppError 409 `wallet.closed` if the user was deleted meanwhile.
   */
  updateSpending(
    { tenantId, userId }: UserCaller,
    { unattended_limit, other_apps_limit }: UpdateSpendingRequest,
  ): Promise<SpendingResponse> {
    return this.dataSource.transaction(async (em) => {
      const tenant = new TenantData(em, tenantId);
      const changes: Partial<SpendingLimitsByClass> = {
        ...(unattended_limit !== undefined && { unattended: unattended_limit }),
        ...(other_apps_limit !== undefined && { other_apps: other_apps_limit }),
      };
      if (Object.keys(changes).length) {
        const { before, after } = await this.settings.updateLimits(tenant, userId, changes);
        const isOther = before.unattended !== after.unattended || before.other_apps !== after.other_apps;
        const target = { type: 'user', id: userId };
        if (isOther)
          await recordAudit(em, {
            action: 'user.spending_changed',
            target,
            tenantId,
            before: named(before),
            after: named(after),
          });
      }
      return this.readSpending(tenant, userId);
    });
  }

  private async readSpending(tenant: TenantData, userId: string): Promise<SpendingResponse> {
    const { limits, spent, monthStartsAt, resetsAt } = await this.settings.getSpendingState(tenant, userId);
    return {
      ...named(limits),
      unattended_spent: spent.unattended,
      other_apps_spent: spent.other_apps,
      month_starts_at: monthStartsAt,
      resets_at: resetsAt,
    };
  }
}

const named = ({
  unattended,
  other_apps,
}: SpendingLimitsByClass): Pick<SpendingResponse, 'unattended_limit' | 'other_apps_limit'> => ({
  unattended_limit: unattended,
  other_apps_limit: other_apps,
});
