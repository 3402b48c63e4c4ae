import { EarningsRepository } from '@platform/billing';
import { Inject, Injectable } from '@nestjs/common';
import type { AppEarningsResponse, EarningsResponse } from '@platform/contracts';
import type { UserCaller } from '@platform/guards';
import { DataSource } from 'typeorm';
import { CONFIG, type Config } from '../../config.js';
import { getDeveloperTier } from '../developers/get-developer-tier.js';
import { AppErrors } from '../model/apps.errors.js';

/** Earnings as developers see them. */
@Injectable()
export class DeveloperEarningsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly earnings: EarningsRepository,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Returns the earnings of the caller from all of their apps.
   *
   * @throws AppError 403 `developer.not_registered` if the caller is not a developer.
   */
  async getEarnings({ userId }: UserCaller): Promise<EarningsResponse> {
    await getDeveloperTier(this.dataSource.manager, userId);
    const { earned, platformShare, available, paidOut, approved } = await this.earnings.getDeveloperEarnings(userId);
    return {
      total_earnings: earned,
      total_platform_share: platformShare,
      pending_payout: earned - (paidOut + approved),
      paid_out: paidOut,
      available,
    };
  }

  /**
   * Returns the earnings of the caller from one of their apps, also from a deleted app that earned
   * something. The list of days goes back as far as the developer's tier shows.
   *
   * @throws AppError 403 `developer.not_registered` if the caller is not a developer; 404
   * `app.not_found` if the app brought them no earnings and is not theirs.
   */
  async getAppEarnings({ userId }: UserCaller, appId: string): Promise<AppEarningsResponse> {
    const { analytics_days } =
      this.config.DEVELOPER_TIER_LIMITS[await getDeveloperTier(this.dataSource.manager, userId)];
    const { earned, calls, days } = await this.earnings.getAppEarnings(userId, appId, analytics_days);
    if (!calls && !(await this.isOwnApp(userId, appId))) throw AppErrors.notFound();
    return {
      app_id: appId,
      total_earnings: earned,
      action_count: calls,
      by_period: days.map(({ day, share }) => ({ day, total: share })),
    };
  }

  private async isOwnApp(userId: string, appId: string): Promise<boolean> {
    const apps = await this.dataSource.query<unknown[]>('SELECT FROM apps WHERE app_id = $1 AND developer_id = $2', [
      appId,
      userId,
    ]);
    return apps.length > 0;
  }
}
