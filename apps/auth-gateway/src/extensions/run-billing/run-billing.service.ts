import { Injectable } from '@nestjs/common';
import {
  LOCKED,
  KeyedBatches,
  MeterCountsRepository,
  UsageErrors,
  WalletsRepository,
  type LockedMeters,
  type MeteredUse,
} from '@platform/billing';
import {
  MAX_APP_METERS,
  type LimitsResponse,
  type RunBalanceResponse,
  type RunUsageRequest,
  type SubscriptionResponse,
} from '@platform/contracts';
import type { UserCaller } from '@platform/guards';
import { RetentionService, TenantData } from '@platform/persistence';
import { DataSource, type EntityManager } from 'typeorm';
import { UserPlansService } from '../../billing/plans/user-plans.service.js';
import { findMissingKeyScope } from '../calls/key-scopes.js';
import { RunGrantErrors } from '../run-grants/run-grants.errors.js';
import { RunGrantsService } from '../run-grants/run-grants.service.js';
import { RunBillingErrors } from './run-billing.errors.js';
import { meterPrefixOf, usageVisibleTo } from './visible-usage.js';

const READ_SCOPE = 'billing:read';
/** Longer than the time in which a host retries. */
const KEY_RETENTION = '2 days';

interface UserOfRun {
  appId: string;
  user: UserCaller;
}

/** Use by an app that is counted for a user. */
interface AppUse extends Pick<RunUsageRequest, 'meter' | 'quantity'> {
  appId: string;
  userId: string;
  /**
   * The same key is counted once, however often the host retries; null for uses without retries.
   */
  key: string | null;
}

const MAX_USES = 500;

/** Reads the plan and credits of a run's user, and counts uses by apps. */
@Injectable()
export class RunBillingService {
  /**
   * Runs one transaction at a time, so that a busy app waits for its counters on one connection
   * only.
   */
  readonly uses = new KeyedBatches<AppUse, boolean>({
    keyOf: ({ userId }) => userId,
    runBatch: (uses) => this.countAll(uses, (metered, em) => this.meters.lockFreeMeters(metered, em)),
    runForKey: async (uses, waitMs) => {
      const counted = await this.countAll(uses, (metered, em) => this.meters.lockMetersOfUser(metered, em, waitMs));
      return counted.map((isCounted) => isCounted === true);
    },
    lockedError: UsageErrors.locked,
    maxItems: MAX_USES,
  });

  constructor(
    private readonly dataSource: DataSource,
    private readonly grants: RunGrantsService,
    private readonly plans: UserPlansService,
    private readonly meters: MeterCountsRepository,
    private readonly wallets: WalletsRepository,
    retention: RetentionService,
  ) {
    retention.registerExpiredRows({
      table: 'counted_uses',
      key: 'app_id, key',
      where: `counted_at < now() - interval '${KEY_RETENTION}'`,
    });
  }

  async getBalance(grant: string): Promise<RunBalanceResponse> {
    const { userId, tenantId } = (await this.authorizeReader(grant)).user;
    const { available } = await this.wallets.getWalletState(new TenantData(this.dataSource.manager, tenantId), userId);
    return { balance: available };
  }

  async getSubscription(grant: string): Promise<SubscriptionResponse> {
    return this.plans.getSubscription((await this.authorizeReader(grant)).user);
  }

  async getLimits(grant: string): Promise<LimitsResponse> {
    const { appId, user } = await this.authorizeReader(grant);
    return usageVisibleTo(appId, await this.plans.getUsage(user));
  }

  /**
   * Adds `quantity` to a counter of the app (`meter`) for the user of the run. It is free, and no
   * limit of the user refuses it. A retry with the same key changes nothing.
   *
   * @throws AppError 403 `run_grant.*` if the run has ended, its app can no longer act, or it has
   * no user; 409 `usage.too_many_meters` if the app would have more than 20 meters for this user in
   * one period; 503 `unavailable` if another transaction locks the user or the counter for too
   * long. Nothing is counted then.
   */
  async trackUsage({ grant, meter, quantity, key }: RunUsageRequest): Promise<void> {
    const { appId, user } = await this.authorizeUser(grant);
    const isCounted = await this.uses.add({ appId, userId: user.userId, meter, quantity, key: key ?? null });
    if (!isCounted) throw RunBillingErrors.tooManyMeters(MAX_APP_METERS);
  }

  /**
   * Counts uses in one transaction. First locks users and counters: others can hold these locks for
   * long, and only a batch of one user waits for them. Then inserts the keys, then updates the
   * counters, each in the same order everywhere, so that no deadlock arises.
   *
   * @returns for each use: true if it was counted, now or before; false if the app has too many
   * meters; `LOCKED` if its user or counter is locked.
   */
  private countAll(
    uses: readonly AppUse[],
    lock: (uses: readonly MeteredUse[], em: EntityManager) => Promise<LockedMeters>,
  ): Promise<(boolean | typeof LOCKED)[]> {
    return this.dataSource.transaction(async (em) => {
      const firsts = new Map<string, AppUse>();
      for (const [at, use] of uses.entries()) if (!firsts.has(idOf(use, at))) firsts.set(idOf(use, at), use);
      const locks = await lock([...firsts.values()].map(meteredUse), em);
      const held = new Set([...firsts].flatMap(([id, use]) => (locks.isUnavailable(meteredUse(use)) ? [id] : [])));
      const free = [...firsts].filter(([id]) => !held.has(id));
      const before = await this.insertKeysAndFindExisting(
        em,
        free.map(([, use]) => use),
      );
      const entries = free.filter(([, use]) => !before.has(keyOf(use)));
      const counted = await this.meters.addUses(
        entries.map(([, use]) => meteredUse(use)),
        locks,
        MAX_APP_METERS,
        em,
      );
      const refused = new Map(entries.filter((_, at) => !counted[at]));
      await deleteKeys(em, [...refused.values()]);
      return uses.map((use, at) => (held.has(idOf(use, at)) ? LOCKED : !refused.has(idOf(use, at))));
    });
  }

  /**
   * Inserts the keys of the uses. Returns the keys that existed before, as `keyOf` writes them.
   */
  private async insertKeysAndFindExisting(em: EntityManager, uses: readonly AppUse[]): Promise<Set<string | null>> {
    const keyed = uses.filter(({ key }) => key !== null);
    if (!keyed.length) return new Set();
    const made = await em.query<Pick<AppUse, 'appId' | 'key'>[]>(
      `INSERT INTO counted_uses (app_id, key) SELECT * FROM unnest($1::text[], $2::uuid[]) AS u (app_id, key) ORDER BY app_id, key
       ON CONFLICT DO NOTHING RETURNING app_id AS "appId", key`,
      columnsOf(keyed),
    );
    const isMade = new Set(made.map(keyOf));
    return new Set(keyed.map(keyOf).filter((key) => !isMade.has(key)));
  }

  private async authorizeUser(grant: string): Promise<UserOfRun> {
    const { appId, user } = await this.grants.authorize(grant);
    if (!user) throw RunGrantErrors.noUser();
    return { appId, user };
  }

  private async authorizeReader(grant: string): Promise<UserOfRun> {
    const run = await this.authorizeUser(grant);
    if (findMissingKeyScope(run.user, null, READ_SCOPE) !== null) throw RunBillingErrors.keyLacks(READ_SCOPE);
    return run;
  }
}

/** Deletes the keys of uses that were not counted, so that a retry can count them. */
async function deleteKeys(em: EntityManager, uses: readonly AppUse[]): Promise<void> {
  const keyed = uses.filter(({ key }) => key !== null);
  if (!keyed.length) return;
  await em.query(
    'DELETE FROM counted_uses c USING unnest($1::text[], $2::uuid[]) AS u (app_id, key) WHERE c.app_id = u.app_id AND c.key = u.key',
    columnsOf(keyed),
  );
}

const columnsOf = (uses: readonly AppUse[]) => [uses.map(({ appId }) => appId), uses.map(({ key }) => key)];

/**
 * Returns the app and the key of a use as one text, with the key in lower case as PostgreSQL writes
 * UUIDs; null for a use without a key.
 */
const keyOf = ({ appId, key }: Pick<AppUse, 'appId' | 'key'>): string | null => key && `${appId} ${key.toLowerCase()}`;

/** Identity within a batch. Uses with the same key are the same use. */
const idOf = (use: AppUse, at: number): string => keyOf(use) ?? String(at);

const meteredUse = ({ appId, userId, meter, quantity }: AppUse): MeteredUse => ({
  userId,
  prefix: meterPrefixOf(appId),
  meter,
  amount: quantity,
});
