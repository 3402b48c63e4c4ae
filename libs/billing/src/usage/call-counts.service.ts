import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { queryPrepared } from '@platform/persistence';
import { LOGGER } from '@platform/platform';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { INSERT_WAIT_MS, LOCKED, KeyedBatches } from '../batches/keyed-batches.js';
import { USER_PLAN_SQL } from '../plans/user-plan.js';
import { UsageErrors } from './usage.errors.js';

/** Meter of function calls. They are counted before they happen, and refused above the limit. */
const TOOL_CALLS = 'tool_calls';

interface Use {
  meter: typeof TOOL_CALLS;
  /** Calls in this period. Includes the current call if it is granted. */
  used: number;
  /** End of the period, in billing time. */
  resetsAt: Date;
}
export interface GrantedUse extends Use {
  granted: true;
  /** Null if there is no limit. */
  limit: number | null;
}
export interface RefusedUse extends Use {
  granted: false;
  limit: number;
  /** Seconds until the period ends. */
  secondsLeft: number;
}

/** Use and limit of a user before the calls of a batch. */
interface Standing {
  user_id: string;
  /** Null if there is no limit. */
  allowed: string | null;
  ends_at: Date;
  seconds_left: number;
  /** Null if there was no counter. */
  used: string | null;
}
/** A row with `ends_at` null means: this statement inserted the user's counter. */
type CountRow = Standing | (Pick<Standing, 'user_id'> & { ends_at: null });

const MAX_CALLS = 500;
/**
 * Milliseconds for which a process grants calls of a user without a limit before it counts them
 * with one statement.
 */
const UNLIMITED_FOR_MS = 1_000;

type Counted = GrantedUse | RefusedUse | null;

interface WantedCalls {
  userId: string;
  calls: number;
}

/** A user without a limit, and the calls that still have to be counted. */
interface Unlimited {
  use: GrantedUse;
  calls: number;
  timer: NodeJS.Timeout;
}

/**
 * Counts function calls of users in the periods of their plans, before the calls run, and refuses
 * calls above the limit. Calls that arrive at the same time are counted with one statement. It
 * skips counters that another transaction has locked: those calls wait apart from the others.
 * `MeterCountsRepository` counts use that has already happened.
 */
@Injectable()
export class CallCountsService implements OnApplicationShutdown {
  readonly calls = new KeyedBatches<WantedCalls, Counted>({
    keyOf: ({ userId }) => userId,
    // If a user is missing from the answer, another transaction has locked the user, or the user
    // does not exist. `runForKey` finds out which.
    runBatch: async (wanted) =>
      (await this.countAll(wanted, COUNT_UNLOCKED, INSERT_WAIT_MS)).map((use) => use ?? LOCKED),
    runForKey: (wanted, waitMs) => this.countAll(wanted, COUNT_WAITING, waitMs),
    lockedError: UsageErrors.locked,
    maxItems: MAX_CALLS,
  });
  private readonly unlimited = new Map<string, Unlimited>();

  constructor(
    private readonly dataSource: DataSource,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([...this.unlimited.keys()].map((userId) => this.countPending(userId)));
  }

  /**
   * Counts a function call of the user in the current period, unless the limit is reached:
   * `granted` tells which. The smaller limit of plan and role applies. A counted call is never
   * given back.
   *
   * A crash of PostgreSQL can lose the calls of its last half second. Calls of a user without a
   * limit are counted up to a second later, and a process that is killed loses them. No money
   * depends on these counts.
   *
   * @throws AppError 503 `unavailable` if another transaction locks the counter or the user for 5
   * seconds; the call is then not counted. Error if the user does not exist or was deleted.
   */
  async countCall(userId: string): Promise<GrantedUse | RefusedUse> {
    const known = this.unlimited.get(userId);
    if (known) return { ...known.use, used: known.use.used + ++known.calls };
    const use = await this.calls.add({ userId, calls: 1 });
    if (!use) throw new Error(`There is no user ${userId}: no call can be counted.`);
    this.rememberUnlimited(userId, use);
    return use;
  }

  private rememberUnlimited(userId: string, use: Counted): void {
    if (!use?.granted || use.limit !== null || this.unlimited.has(userId)) return;
    const timer = setTimeout(() => void this.countPending(userId), UNLIMITED_FOR_MS).unref();
    this.unlimited.set(userId, { use, calls: 0, timer });
  }

  /**
   * Counts the calls that were granted to a user without a limit and not counted yet. Never
   * rejects. Calls that could not be counted are lost, as after a crash.
   */
  private async countPending(userId: string): Promise<void> {
    const known = this.unlimited.get(userId);
    if (!known) return;
    clearTimeout(known.timer);
    this.unlimited.delete(userId);
    const { calls } = known;
    if (!calls) return;
    try {
      await this.calls.add({ userId, calls });
    } catch (err) {
      this.log.warn({ err, calls }, 'calls of a user without a limit could not be counted');
    }
  }

  /**
   * Counts calls of users in the current periods of their plans with one `statement`, as far as the
   * limit allows; calls above it are refused and not counted. Returns for each item of `all`, in
   * order, if it was granted; a user can occur several times. Null for a user who is deleted or
   * unknown, or whom `COUNT_UNLOCKED` skipped because a lock is held.
   *
   * @param waitMs longest wait for a lock.
   * @throws the error of PostgreSQL, `lock_not_available` (55P03) if a lock lasted longer.
   */
  private async countAll(all: readonly WantedCalls[], statement: string, waitMs: number): Promise<Counted[]> {
    const wanted = new Map<string, number>();
    for (const { userId, calls } of all) wanted.set(userId, (wanted.get(userId) ?? 0) + calls);
    const standings = await this.countPerUser(wanted, statement, waitMs);
    const given = new Map<string, number>();
    return all.map(({ userId, calls }) => {
      const standing = standings.get(userId);
      if (!standing) return null;
      const { allowed, ends_at, seconds_left } = standing;
      const limit = allowed === null ? null : Number(allowed);
      const used = Number(standing.used) + (given.get(userId) ?? 0);
      const use = { meter: TOOL_CALLS, resetsAt: ends_at } as const;
      if (limit !== null && used >= limit) return { ...use, granted: false, limit, used, secondsLeft: seconds_left };
      given.set(userId, (given.get(userId) ?? 0) + calls);
      return { ...use, granted: true, limit, used: used + calls };
    });
  }

  /**
   * Counts as many calls of each user as the limit allows. Returns the use and limit of each user
   * before these calls, without the users that the statement did not find.
   *
   * @param wanted number of calls by user id.
   */
  private async countPerUser(
    wanted: ReadonlyMap<string, number>,
    statement: string,
    waitMs: number,
  ): Promise<Map<string, Standing>> {
    const rows = await queryPrepared<CountRow>(this.dataSource, statement, [
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
    // Another transaction created the user's first counter of the period at the same time. The
    // counter exists now, so a second try finds it.
    const missed = found.flatMap(({ user_id }): [string, number][] =>
      standings.has(user_id) ? [] : [[user_id, wanted.get(user_id) ?? 0]],
    );
    return missed.length
      ? new Map([...standings, ...(await this.countPerUser(new Map(missed), statement, waitMs))])
      : standings;
  }
}

/**
 * Builds the statement that locks existing counters in the order of their users, then creates
 * missing ones in the same order, so that processes cannot wait for each other in a circle. `used`
 * is the value before the calls. The rows of `made` are returned beside the others and not joined
 * to them: PostgreSQL expects one or two rows in a batch, and would compare each row with each.
 *
 * `(SELECT $2)` hides the length of the array from the planner, so that one plan serves all
 * batches. Both settings are local to the transaction, which is this one statement.
 *
 * @param lock `SKIP LOCKED` to leave out locked rows; empty to wait for them.
 */
const buildCountStatement = (lock: string): string => `
  WITH clock AS MATERIALIZED (SELECT billing_now() AS now, set_config('synchronous_commit', 'off', true), set_config('lock_timeout', $4, true)),
  asked AS MATERIALIZED (
    SELECT u.id AS user_id, a.wanted, may.tool_calls AS allowed, period.starts_at, period.ends_at,
      ceil(extract(epoch FROM period.ends_at - clock.now))::float8 AS seconds_left, known.user_id IS NOT NULL AS is_known
    FROM clock, unnest((SELECT $2::text[]), (SELECT $3::bigint[])) AS a (user_id, wanted) JOIN users u ON u.id = a.user_id AND u.erased_at IS NULL ${USER_PLAN_SQL}
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

/**
 * Skips locked counters and users. Waits up to `INSERT_WAIT_MS` for a counter that another
 * transaction is inserting.
 */
const COUNT_UNLOCKED = buildCountStatement('SKIP LOCKED');
/** For the calls of one user. Waits for locks. */
const COUNT_WAITING = buildCountStatement('');
