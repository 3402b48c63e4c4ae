import { Injectable } from '@nestjs/common';
import { SubscriptionsService } from '@platform/billing';
import type { ActionStatsResponse } from '@platform/contracts';
import type { UserCaller } from '@platform/guards';
import { ActionSumsRepository } from '../../apps/analytics/sums/action-sums.repository.js';
import { HeavyReadLimiter } from '../../kernel/heavy-read-limiter.js';

const MOST_LISTED = 100;

/** Sums of a user's actions. */
@Injectable()
export class ActionStatsService {
  private readonly reads = new HeavyReadLimiter();

  constructor(
    private readonly sums: ActionSumsRepository,
    private readonly subscriptions: SubscriptionsService,
  ) {}

  /**
   * Returns the user's number of actions, AI tokens and credits in the current calendar month
   * (UTC), whatever the period of the plan: in all, and for each of the 100 apps with the most
   * actions. `limit` is the number of calls that the user's plan and role allow in a period of the
   * plan; 0 for no limit.
   *
   * @throws AppError 429 `rate_limited` if another request of the user for these sums is running in
   * this process.
   */
  async getStats({ userId, tenantId }: UserCaller): Promise<ActionStatsResponse> {
    const { limits } = await this.subscriptions.getCurrentPlan(userId);
    const now = new Date();
    const since = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth()));
    const apps = await this.reads.runExclusive(userId, () => this.sums.findUserSums(tenantId, userId, since));
    const byApp = apps.map((app) => ({ ...app, tokens_used: Number(app.tokens_used), credits: Number(app.credits) }));
    const sum = (key: 'actions' | 'tokens_used' | 'credits') => byApp.reduce((total, app) => total + app[key], 0);
    return {
      actions: sum('actions'),
      tokens_used: sum('tokens_used'),
      credits: sum('credits'),
      by_app: byApp.slice(0, MOST_LISTED),
      limit: limits.tool_calls ?? 0,
      since,
    };
  }
}
