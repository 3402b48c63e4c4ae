import { Injectable } from '@nestjs/common';
import { Expiries, queryPrepared, type Row } from '@platform/persistence';
import { DataSource, type EntityManager } from 'typeorm';
import { A_MOMENT_MS, LOCKED } from '../batches/keyed-batches.js';
import { PLAN_OF_USER } from '../plans/plan-of-user.js';
import { MOST_USED, type UsageCounter } from './usage-counter.entity.js';

/** A meter whose name begins with `prefix`. */
interface Meter {
  userId: string;
  prefix: string;
  /** Without the prefix. */
  meter: string;
}
/** What was used already of a meter. */
export interface MeteredUse extends Meter {
  /** Whole, and positive. */
  amount: number;
}
/** The counter of a meter in this period. */
interface Counter extends Meter {
  /** As text: a Date has no microseconds. */
  startsAt: string;
  /** False: the first use that counts inserts it. */
  isKnown: boolean;
}
interface AskedCounter extends Counter {
  isLocked: boolean;
}

/** What became of the meters that were to be locked, until the transaction ends. */
export class LockedMeters {
  /** @param found by `keyOf`: the counter, which this transaction has locked; `LOCKED` where another one has; null where there is no such user. */
  constructor(private readonly found: ReadonlyMap<string, Counter | typeof LOCKED | null>) {}

  /** Whether somebody else has the counter, or its user, locked. */
  isHeld(meter: Meter): boolean {
    return this.found.get(keyOf(meter)) === LOCKED;
  }

  /** Null for a meter of nobody. @throws Error for one that is held, or that nobody asked to lock. */
  counterOf(meter: Meter): Counter | null {
    const counter = this.found.get(keyOf(meter));
    if (counter === undefined || counter === LOCKED)
      throw new Error(`The meter ${keyOf(meter)} is not locked, so nothing may count there.`);
    return counter;
  }
}

/** How much users used in the periods of their plans, whatever the limit. `CallCounts` counts calls, before they are made. */
@Injectable()
export class MeterCounts {
  constructor(
    private readonly dataSource: DataSource,
    expiries: Expiries,
  ) {
    // This deletes the counters of calls, too: both are rows of one table.
    expiries.add({
      table: 'usage_counters',
      key: 'user_id, meter, period_starts_at',
      where: "period_starts_at < now() - interval '400 days'",
    });
  }

  /**
   * Counts what has been used already, whatever the limit. It locks the user: a transaction that locks other things of theirs locks the user first, or it and
   * an erasure wait for each other.
   *
   * @param amount whole, and not negative.
   * @throws Error for another one.
   */
  async add(userId: string, meter: string, amount: number, em: EntityManager = this.dataSource.manager): Promise<void> {
    if (!Number.isSafeInteger(amount) || amount < 0) throw new Error(`${amount} cannot be used of ${meter}.`);
    if (amount === 0) return;
    await em.query(
      `INSERT INTO usage_counters AS c (user_id, meter, period_starts_at, used)
       SELECT u.id, $2, period.starts_at, $3 FROM (SELECT billing_now() AS now) AS clock, users u ${PLAN_OF_USER} WHERE u.id = $1 AND u.erased_at IS NULL
       FOR KEY SHARE OF u
       ON CONFLICT (user_id, meter, period_starts_at) DO UPDATE SET used = least(c.used::numeric + EXCLUDED.used, ${MOST_USED})`,
      [userId, meter, amount],
    );
  }

  /** What the user used of each meter in this period. */
  async used(userId: string): Promise<Record<string, number>> {
    const rows = await queryPrepared<Row<UsageCounter, 'meter' | 'used'>>(
      this.dataSource,
      `SELECT c.meter, c.used FROM (SELECT billing_now() AS now) AS clock, users u ${PLAN_OF_USER}
       JOIN usage_counters c ON c.user_id = u.id AND c.period_starts_at = period.starts_at WHERE u.id = $1 ORDER BY c.meter`,
      [userId],
    );
    return Object.fromEntries(rows.map(({ meter, used }) => [meter, Number(used)]));
  }

  /**
   * Locks what `addOfMeters` changes, for uses of many users: before the transaction locks anything else, or waits for anybody. It waits for nobody: what
   * somebody else has locked is held. Only for counters that somebody makes in this moment the transaction waits, and for no lock longer than for a moment.
   */
  async lockFreeMeters(uses: readonly MeteredUse[], em: EntityManager): Promise<LockedMeters> {
    const asked = await askCounters(LOCK_FREE_COUNTERS, uses, A_MOMENT_MS, em);
    const makers = usersOf(asked.filter(({ isKnown }) => !isKnown));
    const free = new Set(makers.length ? (await em.query<{ id: string }[]>(LOCK_FREE_USERS, [makers])).map(({ id }) => id) : []);
    const isLocked = ({ userId, isKnown, isLocked }: AskedCounter): boolean => (isKnown ? isLocked : free.has(userId));
    return lockedMeters(
      uses,
      asked.map((counter) => [keyOf(counter), isLocked(counter) ? counter : LOCKED]),
    );
  }

  /**
   * As `lockFreeMeters`, for uses of one user, so that no two wait for each other. It waits for whoever has the user or a counter locked, so that nothing is held.
   *
   * @param waitMs until the transaction ends it waits for no lock longer than that.
   */
  async lockMetersOfUser(uses: readonly MeteredUse[], em: EntityManager, waitMs: number): Promise<LockedMeters> {
    // First the user, in the order of an erasure.
    await em.query(LOCK_USERS, [usersOf(uses), String(waitMs)]);
    const asked = await askCounters(LOCK_COUNTERS, uses, waitMs, em);
    // The user is locked, so nobody deletes a counter of theirs, and each that there is is locked.
    return lockedMeters(
      uses,
      asked.map((counter) => [keyOf(counter), counter]),
    );
  }

  /**
   * As `add`, of many, whose users have at most `mostMeters` meters with a prefix in a period. It holds what it locks until the transaction of `em` ends,
   * in an order that is the same in all: call it once in a transaction.
   *
   * @param locks of these uses, by the same transaction.
   * @returns of each whether it was counted, and not a meter too many. What is of nobody counts nowhere, and is none.
   * @throws Error where one is held, or was not to be locked: then none is counted.
   */
  async addOfMeters(uses: readonly MeteredUse[], locks: LockedMeters, mostMeters: number, em: EntityManager): Promise<boolean[]> {
    const wanted = new Map<string, { counter: Counter; amount: number }>();
    for (const use of uses) {
      const counter = locks.counterOf(use);
      if (!counter) continue;
      const before = wanted.get(keyOf(use))?.amount ?? 0;
      wanted.set(keyOf(use), { counter, amount: Math.min(before + use.amount, MOST_USED) });
    }
    const refused = await this.beyondMost(
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

  /** Which of these would be meters too many. Who makes new ones has the user locked, so that none is missed. */
  private async beyondMost(counters: readonly Counter[], mostMeters: number, em: EntityManager): Promise<Set<string>> {
    const made = counters.filter(({ isKnown }) => !isKnown);
    const refused = new Set<string>();
    if (!made.length) return refused;
    const there = await em.query<Meter[]>(METERS_THERE, [
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

/** The counters of the uses, each once, as far as there are their users. */
function askCounters(statement: string, uses: readonly MeteredUse[], waitMs: number, em: EntityManager): Promise<AskedCounter[]> {
  const wanted = [...new Map(uses.map((use) => [keyOf(use), use])).values()];
  return em.query<AskedCounter[]>(statement, [
    wanted.map(({ userId }) => userId),
    wanted.map(({ prefix }) => prefix),
    wanted.map(({ meter }) => meter),
    String(waitMs),
  ]);
}

/** Whoever was not found is nobody. */
const lockedMeters = (uses: readonly MeteredUse[], found: readonly (readonly [string, Counter | typeof LOCKED | null])[]): LockedMeters =>
  new LockedMeters(new Map([...uses.map((use) => [keyOf(use), null] as const), ...found]));

const lockCounters = (lock: string): string => `
  WITH clock AS MATERIALIZED (SELECT billing_now() AS now, set_config('lock_timeout', $4, true)),
  asked AS MATERIALIZED (
    SELECT u.id AS user_id, a.prefix, a.meter, period.starts_at, known.user_id IS NOT NULL AS is_known
    FROM clock, unnest($1::text[], $2::text[], $3::text[]) AS a (user_id, prefix, meter)
    JOIN users u ON u.id = a.user_id AND u.erased_at IS NULL ${PLAN_OF_USER}
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

/** Of users who get new meters, one transaction after the other. A user who was erased in between is missing here, so the use is `LOCKED` and tried again. */
const LOCK_FREE_USERS = 'SELECT id FROM users WHERE id = ANY ($1) AND erased_at IS NULL ORDER BY id FOR NO KEY UPDATE SKIP LOCKED';
const LOCK_USERS = `
  WITH limits AS MATERIALIZED (SELECT set_config('lock_timeout', $2, true))
  SELECT id FROM users, limits WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE OF users`;

const METERS_THERE = `
  SELECT a.user_id AS "userId", a.prefix, substr(c.meter, length(a.prefix) + 1) AS meter
  FROM (SELECT DISTINCT * FROM unnest($1::text[], $2::text[], $3::timestamptz[]) AS asked (user_id, prefix, starts_at)) AS a
  JOIN usage_counters c ON c.user_id = a.user_id AND c.period_starts_at = a.starts_at AND starts_with(c.meter, a.prefix)`;

const ADD_TO_COUNTERS = `
  INSERT INTO usage_counters AS c (user_id, meter, period_starts_at, used)
  SELECT * FROM unnest($1::text[], $2::text[], $3::timestamptz[], $4::bigint[]) AS a (user_id, meter, starts_at, used) ORDER BY user_id, meter
  ON CONFLICT (user_id, meter, period_starts_at) DO UPDATE SET used = least(c.used::numeric + EXCLUDED.used, ${MOST_USED})`;
