import { Injectable } from '@nestjs/common';
import { Expiries, queryPrepared, type Row } from '@platform/persistence';
import { DataSource, type EntityManager } from 'typeorm';
import { PLAN_OF_USER } from '../plans/plan-of-user.js';
import { HELD, UserBatches } from './user-batches.js';
import type { UsageCounter } from './usage-counter.entity.js';

/** What is counted before it happens, and refused beyond the limit: calls of functions. */
const TOOL_CALLS = 'tool_calls';

interface Use {
  meter: typeof TOOL_CALLS;
  /** In this period, this one included where it is granted. */
  used: number;
  /** When the period ends, by the time of billing. */
  resetsAt: Date;
}
export interface GrantedUse extends Use {
  granted: true;
  /** Null where there is none. */
  limit: number | null;
}
export interface RefusedUse extends Use {
  granted: false;
  limit: number;
  /** Until the period ends. */
  secondsLeft: number;
}

/** What was used already of a meter whose name begins with `prefix`. */
export interface MeteredUse {
  userId: string;
  prefix: string;
  /** Without the prefix. */
  meter: string;
  /** Whole, and positive. */
  amount: number;
}
/** A counter that was asked for, of a meter of its user. */
interface AskedCounter extends Omit<MeteredUse, 'amount'> {
  /** As text: a Date has no microseconds. */
  startsAt: string;
  isKnown: boolean;
  isLocked: boolean;
}
type Counter = Omit<AskedCounter, 'isLocked'>;

/** Counters that nobody else changes, or makes, until the transaction ends. */
export interface LockedMeters {
  counters: readonly Counter[];
  /** Of each use, whether somebody else has its counter or its user locked. Where it waits for them: none. */
  held: readonly boolean[];
}

/** What a user had used, and may use, before the calls of a batch. */
interface Standing {
  user_id: string;
  /** Null without a limit. */
  allowed: string | null;
  ends_at: Date;
  seconds_left: number;
  /** Null where there was no counter. */
  used: string | null;
}
/** The second is a counter that was made. */
type TakeRow = Standing | (Pick<Standing, 'user_id'> & { ends_at: null });

const MAX_USES = 500;
const STATEMENTS_AT_ONCE = 2;
/** For a counter that somebody else is making. */
const A_MOMENT_MS = 500;
const MOST = Number.MAX_SAFE_INTEGER;

type Counted = GrantedUse | RefusedUse | null;

/**
 * How much users use in the periods of their plans.
 *
 * A counter refers to its user by no foreign key, whose check would wait for the row of the user, which an erasure holds. Instead, whoever makes a counter locks
 * the row of its user, as the check would, and leaves out whom somebody else has locked. So an erasure, which locks the user before it deletes their counters,
 * leaves none behind.
 */
@Injectable()
export class UsageCounts {
  readonly calls = new UserBatches<string, Counted>({
    userOf: (userId) => userId,
    // Users who are missing from the answer are locked by somebody else, or do not exist, which `runForUser` tells.
    runBatch: async (userIds) => (await this.takeAll(userIds, TAKE, A_MOMENT_MS)).map((use) => use ?? HELD),
    runForUser: (userIds, waitMs) => this.takeAll(userIds, TAKE_APART, waitMs),
    maxItems: MAX_USES,
    maxRunning: STATEMENTS_AT_ONCE,
  });

  constructor(
    private readonly dataSource: DataSource,
    expiries: Expiries,
  ) {
    expiries.add({
      table: 'usage_counters',
      key: 'user_id, meter, period_starts_at',
      where: "period_starts_at < now() - interval '400 days'",
    });
  }

  /**
   * Counts a call, where the plan and the role of the user have one left: the smaller limit of both counts. What was counted is not given back. Calls
   * that come at the same time are counted with one statement, whoever makes them. It leaves out those whose counter somebody else has locked: they wait for
   * it apart from the others, and what fails for them fails for nobody else.
   *
   * It does not wait for the disk: a crash of PostgreSQL may forget the calls of its last half second. No money depends on them.
   *
   * @throws AppError 503 when somebody else has their counter, or themselves, locked for too long, and then it is not counted; Error when there is no such user.
   */
  async takeCall(userId: string): Promise<GrantedUse | RefusedUse> {
    const use = await this.calls.add(userId);
    if (!use) throw new Error(`There is no user ${userId} who could call anything.`);
    return use;
  }

  /** Keeps the user from being erased until the transaction ends, and waits for who erases them. False where they are not there, or erased by then. */
  async lockUser(userId: string, em: EntityManager): Promise<boolean> {
    const here = await em.query<unknown[]>('SELECT 1 FROM users WHERE id = $1 AND erased_at IS NULL FOR KEY SHARE', [userId]);
    return here.length > 0;
  }

  /**
   * Counts what has been used already, whatever the limit. It locks the user: where the transaction locks other things of theirs, `lockUser` comes first, or it
   * and an erasure wait for each other.
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
       ON CONFLICT (user_id, meter, period_starts_at) DO UPDATE SET used = least(c.used::numeric + EXCLUDED.used, ${MOST})`,
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
   * Locks what `addOfMeters` changes, for uses of many users: before the transaction locks anything else, or waits for anybody. Until it ends it waits for no
   * lock longer than `waitMs`.
   *
   * @param waits for whoever has a counter or a user locked; else it leaves those out. Only for uses of one user, so that two do not wait for each other.
   */
  async lockMeters(
    uses: readonly MeteredUse[],
    em: EntityManager,
    { waits = false, waitMs = A_MOMENT_MS }: { waits?: boolean; waitMs?: number } = {},
  ): Promise<LockedMeters> {
    const wanted = [...new Map(uses.map((use) => [counterOf(use), use])).values()];
    // First the user, in the order of an erasure.
    if (waits) await em.query(LOCK_USERS_APART, [[...new Set(wanted.map(({ userId }) => userId))], String(waitMs)]);
    const asked = await em.query<AskedCounter[]>(waits ? LOCK_COUNTERS_APART : LOCK_COUNTERS, [
      wanted.map(({ userId }) => userId),
      wanted.map(({ prefix }) => prefix),
      wanted.map(({ meter }) => meter),
      String(waitMs),
    ]);
    const makers = [...new Set(asked.flatMap(({ userId, isKnown }) => (isKnown ? [] : [userId])))];
    const free = new Set(waits || !makers.length ? makers : (await em.query<{ id: string }[]>(LOCK_USERS, [makers])).map(({ id }) => id));
    // Where it waited, what it has not locked has gone, with its user.
    const counters = asked.filter(({ userId, isKnown, isLocked }) => (isKnown ? isLocked : free.has(userId)));
    const locked = new Set(counters.map(counterOf));
    const held = new Set(waits ? [] : asked.map(counterOf).filter((counter) => !locked.has(counter)));
    return { counters, held: uses.map((use) => held.has(counterOf(use))) };
  }

  /**
   * As `add`, of many, whose users have at most `mostMeters` meters with a prefix in a period. It holds what it locks until the transaction of `em` ends,
   * in an order that is the same in all: call it once in a transaction.
   *
   * @param counters what `lockMeters` has locked of these uses.
   * @returns of each whether it was counted, and not a meter too many. What is of nobody counts nowhere, and is none.
   */
  async addOfMeters(uses: readonly MeteredUse[], { counters }: LockedMeters, mostMeters: number, em: EntityManager): Promise<boolean[]> {
    const amounts = new Map<string, number>();
    for (const use of uses) amounts.set(counterOf(use), Math.min((amounts.get(counterOf(use)) ?? 0) + use.amount, MOST));
    const wanted = counters.filter((counter) => amounts.has(counterOf(counter)));
    const refused = await this.beyondMost(wanted, mostMeters, em);
    const counted = wanted.filter((counter) => !refused.has(counterOf(counter)));
    if (counted.length) {
      await em.query(ADD_TO_COUNTERS, [
        counted.map(({ userId }) => userId),
        counted.map(({ prefix, meter }) => prefix + meter),
        counted.map(({ startsAt }) => startsAt),
        counted.map((counter) => amounts.get(counterOf(counter))),
      ]);
    }
    return uses.map((use) => !refused.has(counterOf(use)));
  }

  /** Which of these would be meters too many. Who makes new ones has the user locked, so that none is missed. */
  private async beyondMost(counters: readonly Counter[], mostMeters: number, em: EntityManager): Promise<Set<string>> {
    const made = counters.filter(({ isKnown }) => !isKnown);
    const refused = new Set<string>();
    if (!made.length) return refused;
    const there = await em.query<Pick<Counter, 'userId' | 'prefix' | 'meter'>[]>(METERS_THERE, [
      made.map(({ userId }) => userId),
      made.map(({ prefix }) => prefix),
      made.map(({ startsAt }) => startsAt),
    ]);
    const meters = new Map<string, Set<string>>();
    const metersLike = ({ userId, prefix }: Pick<Counter, 'userId' | 'prefix'>): Set<string> => {
      const key = JSON.stringify([userId, prefix]);
      const known = meters.get(key) ?? new Set();
      meters.set(key, known);
      return known;
    };
    for (const counter of there) metersLike(counter).add(counter.meter);
    for (const counter of made) {
      const known = metersLike(counter);
      if (known.size < mostMeters) known.add(counter.meter);
      else if (!known.has(counter.meter)) refused.add(counterOf(counter));
    }
    return refused;
  }

  /** In the order of the users, who may come several times. Null for whom the statement did not find. */
  private async takeAll(userIds: readonly string[], statement: string, waitMs: number): Promise<Counted[]> {
    const wanted = new Map<string, number>();
    for (const userId of userIds) wanted.set(userId, (wanted.get(userId) ?? 0) + 1);
    const standings = await this.takeOfEach(wanted, statement, waitMs);
    const given = new Map<string, number>();
    return userIds.map((userId) => {
      const standing = standings.get(userId);
      if (!standing) return null;
      const { allowed, ends_at, seconds_left } = standing;
      const limit = allowed === null ? null : Number(allowed);
      const used = Number(standing.used) + (given.get(userId) ?? 0);
      const use = { meter: TOOL_CALLS, resetsAt: ends_at } as const;
      if (limit !== null && used >= limit) return { ...use, granted: false, limit, used, secondsLeft: seconds_left };
      given.set(userId, (given.get(userId) ?? 0) + 1);
      return { ...use, granted: true, limit, used: used + 1 };
    });
  }

  /** Counts as many of each as are left. @param wanted how many, by users. */
  private async takeOfEach(wanted: ReadonlyMap<string, number>, statement: string, waitMs: number): Promise<Map<string, Standing>> {
    const rows = await queryPrepared<TakeRow>(this.dataSource, statement, [
      TOOL_CALLS,
      [...wanted.keys()],
      [...wanted.values()],
      String(waitMs),
    ]);
    const made = new Set<string>();
    const found: Standing[] = [];
    for (const row of rows) {
      if (row.ends_at === null) made.add(row.user_id);
      else found.push(row);
    }
    const isCounted = ({ user_id, used }: Standing): boolean => used !== null || made.has(user_id);
    const standings = new Map(found.filter(isCounted).map((standing) => [standing.user_id, standing]));
    // Somebody else made their first counter of the period in this moment: by now it is there.
    const missed = found.flatMap(({ user_id }): [string, number][] =>
      standings.has(user_id) ? [] : [[user_id, wanted.get(user_id) ?? 0]],
    );
    return missed.length ? new Map([...standings, ...(await this.takeOfEach(new Map(missed), statement, waitMs))]) : standings;
  }
}

const counterOf = ({ userId, prefix, meter }: Omit<MeteredUse, 'amount'>): string => JSON.stringify([userId, prefix, meter]);

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
const LOCK_COUNTERS = lockCounters('SKIP LOCKED');
const LOCK_COUNTERS_APART = lockCounters('');

/** Of users who get new meters, one transaction after the other. Whoever was erased meanwhile is not among them, and looked at anew. */
const LOCK_USERS = 'SELECT id FROM users WHERE id = ANY ($1) AND erased_at IS NULL ORDER BY id FOR NO KEY UPDATE SKIP LOCKED';
const LOCK_USERS_APART = `
  WITH limits AS MATERIALIZED (SELECT set_config('lock_timeout', $2, true))
  SELECT id FROM users, limits WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE OF users`;

const METERS_THERE = `
  SELECT a.user_id AS "userId", a.prefix, substr(c.meter, length(a.prefix) + 1) AS meter
  FROM (SELECT DISTINCT * FROM unnest($1::text[], $2::text[], $3::timestamptz[]) AS asked (user_id, prefix, starts_at)) AS a
  JOIN usage_counters c ON c.user_id = a.user_id AND c.period_starts_at = a.starts_at AND starts_with(c.meter, a.prefix)`;

const ADD_TO_COUNTERS = `
  INSERT INTO usage_counters AS c (user_id, meter, period_starts_at, used)
  SELECT * FROM unnest($1::text[], $2::text[], $3::timestamptz[], $4::bigint[]) AS a (user_id, meter, starts_at, used) ORDER BY user_id, meter
  ON CONFLICT (user_id, meter, period_starts_at) DO UPDATE SET used = least(c.used::numeric + EXCLUDED.used, ${MOST})`;

/**
 * Counters are locked in the order of their users, and made after that in the same order, so that processes do not wait for each other in a circle. What
 * is returned as used is what was before. The rows of `made` are returned beside the others, and not joined to them: for PostgreSQL a batch is a row or two,
 * and it would compare each with each.
 *
 * Behind the SELECTs PostgreSQL does not see how many users there are, and would else plan the statement anew for each batch. The limit of waiting ends with the statement, too.
 */
const takeWith = (lock: string): string => `
  WITH clock AS MATERIALIZED (SELECT billing_now() AS now, set_config('synchronous_commit', 'off', true), set_config('lock_timeout', $4, true)),
  asked AS MATERIALIZED (
    SELECT u.id AS user_id, a.wanted, may.tool_calls AS allowed, period.starts_at, period.ends_at,
      ceil(extract(epoch FROM period.ends_at - clock.now))::float8 AS seconds_left, known.user_id IS NOT NULL AS is_known
    FROM clock, unnest((SELECT $2::text[]), (SELECT $3::bigint[])) AS a (user_id, wanted) JOIN users u ON u.id = a.user_id AND u.erased_at IS NULL ${PLAN_OF_USER}
    LEFT JOIN usage_counters known ON known.user_id = u.id AND known.meter = $1 AND known.period_starts_at = period.starts_at
  ), counted AS MATERIALIZED (
    SELECT c.user_id, c.period_starts_at, c.used, a.wanted, a.allowed, a.ends_at, a.seconds_left
    FROM asked a JOIN usage_counters c ON c.user_id = a.user_id AND c.meter = $1 AND c.period_starts_at = a.starts_at
    WHERE a.is_known ORDER BY c.user_id FOR NO KEY UPDATE OF c ${lock}
  ), taken AS (
    UPDATE usage_counters c SET used = c.used + least(b.wanted, b.allowed - b.used) FROM counted b
    WHERE c.user_id = b.user_id AND c.meter = $1 AND c.period_starts_at = b.period_starts_at AND b.used < b.allowed IS NOT FALSE
  ), free AS MATERIALIZED (
    SELECT a.* FROM asked a JOIN users u ON u.id = a.user_id
    WHERE NOT a.is_known AND u.erased_at IS NULL ORDER BY u.id FOR KEY SHARE OF u ${lock}
  ), made AS (
    INSERT INTO usage_counters (user_id, meter, period_starts_at, used)
    SELECT a.user_id, $1, a.starts_at, least(a.wanted, a.allowed) FROM free a, (SELECT count(*) FROM counted) AS after_the_locks
    ORDER BY a.user_id
    ON CONFLICT (user_id, meter, period_starts_at) DO NOTHING RETURNING user_id
  )
  SELECT user_id, allowed, ends_at, seconds_left, used FROM counted
  UNION ALL SELECT user_id, allowed, ends_at, seconds_left, NULL FROM free
  UNION ALL SELECT user_id, NULL, NULL, NULL, NULL FROM made`;

/** It waits for no counter that there is and no user, and only for a moment for a counter that somebody makes. */
const TAKE = takeWith('SKIP LOCKED');
/** Of one user. */
const TAKE_APART = takeWith('');
