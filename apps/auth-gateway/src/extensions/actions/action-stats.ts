import { Injectable } from '@nestjs/common';
import { Subscriptions } from '@platform/billing';
import type { ActionStatsResponse } from '@platform/contracts';
import type { UserCaller } from '@platform/guards';
import { TenantData } from '@platform/persistence';
import { DataSource } from 'typeorm';

const MOST_LISTED = 100;

/** How much a user does. */
@Injectable()
export class ActionStats {
  constructor(
    private readonly dataSource: DataSource,
    private readonly subscriptions: Subscriptions,
  ) {}

  /** In this calendar month, whenever the period of the plan began. */
  async get({ userId, tenantId }: UserCaller): Promise<ActionStatsResponse> {
    const tenant = new TenantData(this.dataSource.manager, tenantId);
    const { limits } = await this.subscriptions.current(userId);
    const now = new Date();
    const since = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth()));
    const apps = await tenant.query<{ app_id: string; actions: number; tokens_used: string; credits: string }>(
      `SELECT app_id, count(*)::int AS actions, sum(tokens_used) AS tokens_used, sum(action_price) AS credits
       FROM actions WHERE tenant_id = $tenant AND user_id = $1 AND created_at >= $2 GROUP BY app_id ORDER BY actions DESC, app_id`,
      [userId, since],
    );
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
