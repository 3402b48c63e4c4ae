import { Injectable } from '@nestjs/common';
import { UsageCounts, Wallets } from '@platform/billing';
import {
  MAX_APP_METERS,
  type LimitsResponse,
  type RunBalanceResponse,
  type RunUsageRequest,
  type SubscriptionResponse,
} from '@platform/contracts';
import type { UserCaller } from '@platform/guards';
import { Expiries, TenantData } from '@platform/persistence';
import { DataSource, type EntityManager } from 'typeorm';
import { PlanReads } from '../../billing/plans/plan-reads.js';
import { lackedByKey } from '../calls/key-may-call.js';
import { RunGrantErrors } from '../run-grants/run-grants.errors.js';
import { RunGrants } from '../run-grants/run-grants.service.js';
import { RunBillingErrors } from './run-billing.errors.js';
import { metersOf, shownTo } from './shown-usage.js';

const TO_READ = 'billing:read';
/** Beyond how long a host may ask again. */
const REMEMBERED_FOR = '2 days';

interface UserOfRun {
  appId: string;
  user: UserCaller;
}

/** What runs of apps read of the plan and the credits of their user, and what they count. */
@Injectable()
export class RunBilling {
  constructor(
    private readonly dataSource: DataSource,
    private readonly grants: RunGrants,
    private readonly plans: PlanReads,
    private readonly usage: UsageCounts,
    private readonly wallets: Wallets,
    expiries: Expiries,
  ) {
    expiries.add({ table: 'counted_uses', key: 'app_id, key', where: `counted_at < now() - interval '${REMEMBERED_FOR}'` });
  }

  async balance(grant: string): Promise<RunBalanceResponse> {
    const { userId, tenantId } = (await this.reader(grant)).user;
    const { available } = await this.wallets.state(new TenantData(this.dataSource.manager, tenantId), userId);
    return { balance: available };
  }

  async subscription(grant: string): Promise<SubscriptionResponse> {
    return this.plans.subscription((await this.reader(grant)).user);
  }

  async limits(grant: string): Promise<LimitsResponse> {
    const { appId, user } = await this.reader(grant);
    return shownTo(appId, await this.plans.usage(user));
  }

  /**
   * Counts what the app did for the user. It costs nothing, and no limit refuses it. With the same key again it changes nothing.
   *
   * @throws AppError 403 for the grant; 409 when it is a meter too many.
   */
  async track({ grant, meter, quantity, key }: RunUsageRequest): Promise<void> {
    const { appId, user } = await this.userOf(grant);
    await this.dataSource.transaction(async (em) => {
      if (key !== undefined && !(await isFirst(em, appId, key))) return;
      await this.usage.add(user.userId, `${metersOf(appId)}${meter}`, quantity, em);
      await this.assertNotTooMany(em, appId, user.userId);
    });
  }

  /** After one was counted, in the same transaction. One after the other for each app and user, so that none is missed. */
  private async assertNotTooMany(em: EntityManager, appId: string, userId: string): Promise<void> {
    await em.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`meters ${appId} ${userId}`]);
    const meters = await this.usage.metersWithPrefix(em, userId, metersOf(appId));
    if (meters > MAX_APP_METERS) throw RunBillingErrors.tooManyMeters(MAX_APP_METERS);
  }

  private async userOf(grant: string): Promise<UserOfRun> {
    const { appId, user } = await this.grants.allow(grant);
    if (!user) throw RunGrantErrors.noUser();
    return { appId, user };
  }

  private async reader(grant: string): Promise<UserOfRun> {
    const run = await this.userOf(grant);
    if (lackedByKey(run.user, null, TO_READ) !== null) throw RunBillingErrors.keyLacks(TO_READ);
    return run;
  }
}

async function isFirst(em: EntityManager, appId: string, key: string): Promise<boolean> {
  const made = await em.query<object[]>('INSERT INTO counted_uses (app_id, key) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING key', [
    appId,
    key,
  ]);
  return made.length > 0;
}
