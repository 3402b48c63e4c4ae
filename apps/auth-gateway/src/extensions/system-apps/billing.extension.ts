import { Injectable } from '@nestjs/common';
import { SpendingReportService } from '@platform/billing';
import type { UserCaller } from '@platform/guards';
import { TenantData } from '@platform/persistence';
import { DataSource } from 'typeorm';
import { UserPlansService } from '../../billing/plans/user-plans.service.js';
import { UserWalletsService } from '../../billing/wallet/user-wallets.service.js';
import { HeavyReadLimiter } from '../../kernel/heavy-read-limiter.js';
import { SystemExtensionsRegistry, type SystemFunction } from '../calls/system-extensions.registry.js';
import { usageVisibleTo } from '../run-billing/visible-usage.js';
import { BillingReadsProvider, READ_FUNCTION } from './billing-reads.provider.js';
import { BillingReleasesProvider } from './billing-releases.provider.js';

/**
 * The system extension `billing`: functions that show a user's wallet, plan and payments, and where
 * to pay.
 */
@Injectable()
export class BillingExtension {
  private readonly reports = new HeavyReadLimiter();

  constructor(
    extensions: SystemExtensionsRegistry,
    private readonly dataSource: DataSource,
    private readonly wallets: UserWalletsService,
    private readonly plans: UserPlansService,
    private readonly report: SpendingReportService,
    reads: BillingReadsProvider,
    releases: BillingReleasesProvider,
  ) {
    extensions.registerExtension({
      appId: 'billing',
      functions: [...this.defineFunctions(), ...reads.definitions, ...releases.definitions],
    });
  }

  private defineFunctions(): SystemFunction[] {
    return [
      {
        ...READ_FUNCTION,
        name: 'get_balance',
        description: 'Shows the credits that the user can spend.',
        handler: async ({ user }) => {
          const data = await this.wallets.getWallet(user);
          const owed = data.debt ? ` ${credits(data.debt)} are owed.` : '';
          return { data, summary: `You have ${credits(data.balance)}.${owed}` };
        },
      },
      {
        ...READ_FUNCTION,
        name: 'get_plan',
        description: 'Shows the plan of the user.',
        handler: async ({ user }) => {
          const data = await this.plans.getSubscription(user);
          return { data, summary: `Your plan is ${data.plan}.` };
        },
      },
      {
        ...READ_FUNCTION,
        name: 'list_plans',
        description: 'Lists the plans of the platform, smallest first.',
        handler: async () => {
          const items = await this.plans.listPlans();
          return { data: { items }, summary: `${items.length} plans.` };
        },
      },
      {
        ...READ_FUNCTION,
        name: 'usage',
        description: 'Shows the usage of the user in this period of their plan, and its limits.',
        handler: async ({ user }) => {
          const data = usageVisibleTo(user.throughApp, await this.plans.getUsage(user));
          return {
            data,
            summary: data.exceeded.length ? `Nothing is left of ${data.exceeded.join(', ')}.` : 'No limit is reached.',
          };
        },
      },
      {
        ...READ_FUNCTION,
        name: 'spending_report',
        description: 'Shows the credits that the user spent this month (UTC), by app.',
        handler: async ({ user }) => {
          const data = await this.reports.runExclusive(user.userId, () => this.reportSpending(user));
          return { data, summary: `You have spent ${credits(data.credits)} this month.` };
        },
      },
    ];
  }

  /**
   * Returns the credits that the user spent this month: the total, and by app. An app gets the
   * total and its own charges, but does not learn which other apps the user pays for.
   */
  private async reportSpending({ userId, tenantId, throughApp }: UserCaller) {
    const { monthStartsAt, resetsAt, byApp } = await this.report.getMonthlySpending(
      new TenantData(this.dataSource.manager, tenantId),
      userId,
    );
    return {
      month_starts_at: monthStartsAt,
      resets_at: resetsAt,
      credits: byApp.reduce((total, app) => total + app.credits, 0),
      by_app: byApp
        .filter(({ appId }) => throughApp === undefined || appId === throughApp)
        .map(({ appId, credits, charges }) => ({ app_id: appId, credits, charges })),
    };
  }
}

const credits = (amount: number): string => `${amount} ${amount === 1 ? 'credit' : 'credits'}`;
