import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { queryPrepared } from '@platform/persistence';
import { LOGGER } from '@platform/platform';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { A_MOMENT_MS, LOCKED, KeyedBatches } from '../batches/keyed-batches.js';
import { PLAN_OF_USER } from '../plans/plan-of-user.js';
import { UsageErrors } from './usage.errors.js';

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
/** Or: this statement inserted the counter of the user. */
type TakeRow = Standing | (Pick<Standing, 'user_id'> & { ends_at: null });

const MAX_CALLS = 500;
/** A process takes calls of a user who was found to have no limit for so long, and then counts them with one statement. */
const UNLIMITED_FOR_MS = 1_000;

type Counted = GrantedUse | RefusedUse | null;

interface Wanted {
  userId: string;
  calls: number;
}

/** A user without a limit, and the calls since then that are still to be counted. */
interface Unlimited {
  use: GrantedUse;
  calls: number;
  timer: NodeJS.Timeout;
}

/** How many functions users call in the periods of their plans, up to the limit, before the calls are made. `MeterCounts` counts what has been used already. */
@Injectable()
export class CallCounts implements OnApplicationShutdown {
  readonly calls = new KeyedBatches<Wanted, Counted>({
    keyOf: ({ userId }) => userId,
    // Users who are missing from the answer are locked by somebody else, or do not exist, which `runForKey` tells.
    runBatch: async (wanted) => (await this.takeAll(wanted, TAKE, A_MOMENT_MS)).map((use) => use ?? LOCKED),
    runForKey: (wanted, waitMs) => this.takeAll(wanted, TAKE_APART, waitMs),
    lockedError: UsageErrors.locked,
    maxItems: MAX_CALLS,
  });
  private readonly unlimited = new Map<string, Unlimited>();

  constructor(
    private readonly dataSource: DataSource,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([...this.unlimited.keys()].map((userId) => this.countKept(userId)));
  }

  /**
   * Counts a call, where the plan and the role of the user have one left: the smaller limit of both counts. What was counted is not given back. Calls
   * that come at the same time are counted with one statement, whoever makes them. It leaves out those whose counter somebody else has locked: they wait for
   * it apart from the others, and what fails for them fails for nobody else.
   *
   * It does not wait for the disk: a crash of PostgreSQL may forget the calls of its last half second. Calls of a user without a limit are counted up to
   * `UNLIMITED_FOR_MS` later, and a process that is killed forgets those. No money depends on them.
   *
   * @throws AppError 503 when somebody else has their counter, or themselves, locked for too long, and then it is not counted; Error when there is no such user.
   */
  async takeCall(userId: string): Promise<GrantedUse | RefusedUse> {
    const known = this.unlimited.get(userId);
    if (known) return { ...known.use, used: known.use.used + ++known.calls };
    const use = await this.calls.add({ userId, calls: 1 });
    if (!use) throw new Error(`There is no user ${userId} who could call anything.`);
    this.noteUnlimited(userId, use);
    return use;
  }

  private noteUnlimited(userId: string, use: Counted): void {
    if (!use?.granted || use.limit !== null || this.unlimited.has(userId)) return;
    const timer = setTimeout(() => void this.countKept(userId), UNLIMITED_FOR_MS).unref();
    this.unlimited.set(userId, { use, calls: 0, timer });
  }

  /** Never rejects. What could not be counted is lost, as after a crash. */
  private async countKept(userId: string): Promise<void> {
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

  /** In the order of `wanted`, where users may come several times. Null for whom the statement did not find. */
  private async takeAll(all: readonly Wanted[], statement: string, waitMs: number): Promise<Counted[]> {
    const wanted = new Map<string, number>();
    for (const { userId, calls } of all) wanted.set(userId, (wanted.get(userId) ?? 0) + calls);
    const standings = await this.takeOfEach(wanted, statement, waitMs);
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

/**
 * Counters are locked in the order of their users, and made after that in the same order, so that processes do not wait for each other in a circle. What
 * is returned as used is what was before. The rows of `made` are returned beside the others, and not joined to them: for PostgreSQL a batch is a row or two,
 * and it would compare each with each.
 *
 * `(SELECT $2)` hides the length of the array from the planner, so that one plan serves all batches. Both settings are local to the transaction, which is
 * this one statement.
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
