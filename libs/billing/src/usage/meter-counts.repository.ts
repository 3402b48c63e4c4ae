import { Injectable } from '@nestjs/common';
import { RetentionService, queryPrepared, type Row } from '@platform/persistence';
import { DataSource, type EntityManager } from 'typeorm';
import { INSERT_WAIT_MS, LOCKED } from '../batches/keyed-batches.js';
import { USER_PLAN_SQL } from '../plans/user-plan.js';
import { MOST_USED, type UsageCounter } from './usage-counter.entity.js';

/** Meter with the name `prefix` + `meter`. */
interface Meter {
  userId: string;
  prefix: string;
  /** Name without the prefix. */
  meter: string;
}
/** Use that has already happened. */
export interface MeteredUse extends Meter {
  /** Whole number, above 0. */
  amount: number;
}
/** Counter of a meter in the current period. */
interface Counter extends Meter {
  /** Start of the period as text: a Date has no microseconds. */
  startsAt: string;
  /** False if the counter does not exist yet. The first use that counts inserts it. */
  isKnown: boolean;
}
interface CounterToLock extends Counter {
  isLocked: boolean;
}

/** Results of locking meters. They are valid until the transaction ends. */
export class LockedMeters {
  /**
   * @param found by `keyOf`: the counter, if this transaction has locked it; `LOCKED`, if another
   * transaction has; null, if the user does not exist.
   */
  constructor(private readonly found: ReadonlyMap<string, Counter | typeof LOCKED | null>) {}

  /**
   * True if another transaction has locked the counter or its user, or the user was deleted
   * meanwhile.
   */
  isUnavailable(meter: Meter): boolean {
    return this.found.get(keyOf(meter)) === LOCKED;
  }

  /**
   * Counter of a meter that this transaction has locked; null if the user does not exist or was
   * deleted.
   *
   * @throws Error if another transaction has locked the meter, or it was not in the list to lock.
   */
  getCounter(meter: Meter): Counter | null {
    const counter = this.found.get(keyOf(meter));
    if (counter === undefined || counter === LOCKED)
      throw new Error(`The meter ${keyOf(meter)} is not locked, so its use cannot be counted.`);
    return counter;
  }
}

/**
 * Counts use of users in the periods of their plans without regard to limits. `CallCountsService`
 * counts calls before they run.
 */
@Injectable()
export class MeterCountsRepository {
  constructor(
    private readonly dataSource: DataSource,
    retention: RetentionService,
  ) {
    // Also deletes the counters of calls: both kinds are rows of one table.
    retention.registerExpiredRows({
      table: 'usage_counters',
      key: 'user_id, meter, period_starts_at',
      where: "period_starts_at < now() - interval '400 days'",
    });
  }

  /**
   * Adds use that has already happened to the user's meter in the current period, without regard to
   * limits. Adds nothing for an unknown or deleted user. Locks the user. A transaction that also
   * locks other rows of the user must lock the user first, or it deadlocks with account deletion.
   *
   * @param amount whole number, 0 or more.
   * @throws Error for any other amount.
   */
  async addUse(
    userId: string,
    meter: string,
    amount: number,
    em: EntityManager = this.dataSource.manager,
  ): Promise<void> {
    if (!Number.isSafeInteger(amount) || amount < 0)
      throw new Error(`${amount} is not a valid amount for the meter ${meter}.`);
    if (amount === 0) return;
    await em.query(
      `INSERT INTO usage_counters AS c (user_id, meter, period_starts_at, used)
       SELECT u.id, $2, period.starts_at, $3 FROM (SELECT billing_now() AS now) AS clock, users u ${USER_PLAN_SQL} WHERE u.id = $1 AND u.erased_at IS NULL
       FOR KEY SHARE OF u
       ON CONFLICT (user_id, meter, period_starts_at) DO UPDATE SET used = least(c.used::numeric + EXCLUDED.used, ${MOST_USED})`,
      [userId, meter, amount],
    );
  }

  /**
   * Use of each meter in the user's current period, by the name of the meter. Meters without use
   * are absent.
   */
  async getUse(userId: string): Promise<Record<string, number>> {
    const rows = await queryPrepared<Row<UsageCounter, 'meter' | 'used'>>(
      this.dataSource,
      `SELECT c.meter, c.used FROM (SELECT billing_now() AS now) AS clock, users u ${USER_PLAN_SQL}
       JOIN usage_counters c ON c.user_id = u.id AND c.period_starts_at = period.starts_at WHERE u.id = $1 ORDER BY c.meter`,
      [userId],
    );
    return Object.fromEntries(rows.map(({ meter, used }) => [meter, Number(used)]));
  }

  /**
   * Locks the counters that `addUses` will change, for uses of many users. Call it before the
   * transaction locks anything else or waits for anything. It does not wait for rows that another
   * transaction has locked: it skips them and reports them as held (`isUnavailable`). From here
   * until its end the transaction waits for no lock longer than `INSERT_WAIT_MS`.
   */
  async lockFreeMeters(uses: readonly MeteredUse[], em: EntityManager): Promise<LockedMeters> {
    const asked = await readCounters(LOCK_FREE_COUNTERS, uses, INSERT_WAIT_MS, em);
    const makers = usersOf(asked.filter(({ isKnown }) => !isKnown));
    const free = new Set(
      makers.length ? (await em.query<{ id: string }[]>(LOCK_FREE_USERS, [makers])).map(({ id }) => id) : [],
    );
    const isLocked = ({ userId, isKnown, isLocked }: CounterToLock): boolean => (isKnown ? isLocked : free.has(userId));
    return lockedMeters(
      uses,
      asked.map((counter) => [keyOf(counter), isLocked(counter) ? counter : LOCKED]),
    );
  }

  /**
   * Locks the counters that `addUses` will change, for uses of one user, so that two of these
   * transactions cannot wait for each other. It waits for locks on the user or a counter, so
   * nothing is reported as held.
   *
   * @param waitMs longest wait for any lock, until the transaction ends.
   * @throws the error 55P03 of PostgreSQL if a lock lasts longer.
   */
  async lockMetersOfUser(uses: readonly MeteredUse[], em: EntityManager, waitMs: number): Promise<LockedMeters> {
    // Locks the user first, in the order of account deletion.
    await em.query(LOCK_USERS, [usersOf(uses), String(waitMs)]);
    const asked = await readCounters(LOCK_COUNTERS, uses, waitMs, em);
    // The lock on the user keeps others from deleting counters, so each existing counter is locked.
    return lockedMeters(
      uses,
      asked.map((counter) => [keyOf(counter), counter]),
    );
  }

  /**
   * Counts many uses after their meters were locked. A user can have at most `mostMeters` meters
   * with one prefix in a period. The order of locks is the same in all transactions, and the locks
   * last until the transaction of `em` ends: call it once in a transaction.
   *
   * @param locks result of locking these uses in the same transaction.
   * @returns for each use: false if its meter is one too many and it was not counted. True if the
   * user does not exist, although the use is counted nowhere.
   * @throws Error if a meter is held or was not in the list to lock. Nothing is counted then.
   */
  async addUses(
    uses: readonly MeteredUse[],
    locks: LockedMeters,
    mostMeters: number,
    em: EntityManager,
  ): Promise<boolean[]> {
    const wanted = new Map<string, { counter: Counter; amount: number }>();
    for (const use of uses) {
      const counter = locks.getCounter(use);
      if (!counter) continue;
      const before = wanted.get(keyOf(use))?.amount ?? 0;
      wanted.set(keyOf(use), { counter, amount: Math.min(before + use.amount, MOST_USED) });
    }
    const refused = await this.findExcessMeters(
      [...wanted.values()].map(({ counter }) => counter),
      mostMeters,
      em,
    );
    const counted = [...wanted.values()].filter(({ counter }) => !refused.has(keyOf(counter)));
    if (counted.length) {
      await em.query(ADD_TO_COUNTERS, [
        counted.map(({ counter }) => counter.userId),
        counted.map(({ counter }) => counter.prefix + counter.meter),
        counted.map(({ counter }) => counter.startsAt),
        counted.map(({ amount }) => amount),
      ]);
    }
    return uses.map((use) => !refused.has(keyOf(use)));
  }

  /**
   * Keys (`keyOf`) of the counters that must not be created, because the user would have more than
   * `mostMeters` meters with this prefix. The transaction that creates meters holds a lock on the
   * user, so it misses none.
   */
  private async findExcessMeters(
    counters: readonly Counter[],
    mostMeters: number,
    em: EntityManager,
  ): Promise<Set<string>> {
    const made = counters.filter(({ isKnown }) => !isKnown);
    const refused = new Set<string>();
    if (!made.length) return refused;
    const there = await em.query<Meter[]>(EXISTING_METERS, [
      made.map(({ userId }) => userId),
      made.map(({ prefix }) => prefix),
      made.map(({ startsAt }) => startsAt),
    ]);
    const meters = new Map<string, Set<string>>();
    const metersLike = ({ userId, prefix }: Pick<Meter, 'userId' | 'prefix'>): Set<string> => {
      const key = JSON.stringify([userId, prefix]);
      const known = meters.get(key) ?? new Set();
      meters.set(key, known);
      return known;
    };
    for (const counter of there) metersLike(counter).add(counter.meter);
    for (const counter of made) {
      const known = metersLike(counter);
      if (known.size < mostMeters) known.add(counter.meter);
      else if (!known.has(counter.meter)) refused.add(keyOf(counter));
    }
    return refused;
  }
}

const keyOf = ({ userId, prefix, meter }: Meter): string => JSON.stringify([userId, prefix, meter]);

const usersOf = (meters: readonly Meter[]): string[] => [...new Set(meters.map(({ userId }) => userId))];

/**
 * Locks and reads the counters of the uses with `statement`, each once. Unknown and deleted users
 * have none.
 */
function readCounters(
  statement: string,
  uses: readonly MeteredUse[],
  waitMs: number,
  em: EntityManager,
): Promise<CounterToLock[]> {
  const wanted = [...new Map(uses.map((use) => [keyOf(use), use])).values()];
  return em.query<CounterToLock[]>(statement, [
    wanted.map(({ userId }) => userId),
    wanted.map(({ prefix }) => prefix),
    wanted.map(({ meter }) => meter),
    String(waitMs),
  ]);
}

/**
 * Result of locking the meters of `uses`. The users of meters that are not in `found` do not exist.
 */
const lockedMeters = (
  uses: readonly MeteredUse[],
  found: readonly (readonly [string, Counter | typeof LOCKED | null])[],
): LockedMeters => new LockedMeters(new Map([...uses.map((use) => [keyOf(use), null] as const), ...found]));

const lockCounters = (lock: string): string => `
  WITH clock AS MATERIALIZED (SELECT billing_now() AS now, set_config('lock_timeout', $4, true)),
  asked AS MATERIALIZED (
    SELECT u.id AS user_id, a.prefix, a.meter, period.starts_at, known.user_id IS NOT NULL AS is_known
    FROM clock, unnest($1::text[], $2::text[], $3::text[]) AS a (user_id, prefix, meter)
    JOIN users u ON u.id = a.user_id AND u.erased_at IS NULL ${USER_PLAN_SQL}
    LEFT JOIN usage_counters known ON known.user_id = u.id AND known.meter = a.prefix || a.meter AND known.period_starts_at = period.starts_at
  ), locked AS MATERIALIZED (
    SELECT c.user_id, a.prefix, a.meter FROM asked a
    JOIN usage_counters c ON c.user_id = a.user_id AND c.meter = a.prefix || a.meter AND c.period_starts_at = a.starts_at
    WHERE a.is_known ORDER BY c.user_id, c.meter FOR NO KEY UPDATE OF c ${lock}
  )
  SELECT user_id AS "userId", prefix, meter, a.starts_at::text AS "startsAt", a.is_known AS "isKnown", l.user_id IS NOT NULL AS "isLocked"
  FROM asked a LEFT JOIN locked l USING (user_id, prefix, meter)`;
const LOCK_FREE_COUNTERS = lockCounters('SKIP LOCKED');
const LOCK_COUNTERS = lockCounters('');

/**
 * Locks users with new meters, so that one transaction at a time creates them. A user that was
 * deleted in between is missing from the result, so the use is `LOCKED` and is retried.
 */
const LOCK_FREE_USERS =
  'SELECT id FROM users WHERE id = ANY ($1) AND erased_at IS NULL ORDER BY id FOR NO KEY UPDATE SKIP LOCKED';
const LOCK_USERS = `
  WITH limits AS MATERIALIZED (SELECT set_config('lock_timeout', $2, true))
  SELECT id FROM users, limits WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE OF users`;

const EXISTING_METERS = `
  SELECT a.user_id AS "userId", a.prefix, substr(c.meter, length(a.prefix) + 1) AS meter
  FROM (SELECT DISTINCT * FROM unnest($1::text[], $2::text[], $3::timestamptz[]) AS asked (user_id, prefix, starts_at)) AS a
  JOIN usage_counters c ON c.user_id = a.user_id AND c.period_starts_at = a.starts_at AND starts_with(c.meter, a.prefix)`;

const ADD_TO_COUNTERS = `
  INSERT INTO usage_counters AS c (user_id, meter, period_starts_at, used)
  SELECT * FROM unnest($1::text[], $2::text[], $3::timestamptz[], $4::bigint[]) AS a (user_id, meter, starts_at, used) ORDER BY user_id, meter
  ON CONFLICT (user_id, meter, period_starts_at) DO UPDATE SET used = least(c.used::numeric + EXCLUDED.used, ${MOST_USED})`;
