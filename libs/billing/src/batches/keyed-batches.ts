import { Batcher } from '@platform/platform';

/**
 * Milliseconds that a batch waits for a row that another transaction is inserting. `SKIP LOCKED`
 * cannot skip it.
 */
export const INSERT_WAIT_MS = 500;

/**
 * Result of an item that the batch skipped, because another transaction holds a lock that the item
 * needs.
 */
export const LOCKED = Symbol('locked');
/**
 * Result of each item of a batch that failed, possibly because of another item. The item is tried
 * by itself.
 */
const ALONE = Symbol('alone');
/** The turn is over; the items can wait for another turn. */
const AGAIN = Symbol('again');

/**
 * Work on rows that other transactions can lock. The key of an item is the id of its user or
 * wallet.
 */
export interface KeyedWork<Item, Result> {
  keyOf(item: Item): string;
  /**
   * Runs items of any keys and returns their results in the same order: `LOCKED` for an item that
   * was skipped, because another transaction has locked its rows. Must not wait for a lock longer
   * than `INSERT_WAIT_MS`.
   */
  runBatch(items: readonly Item[]): Promise<readonly (Result | typeof LOCKED)[]>;
  /**
   * Runs items that all have the same key, and returns their results in the same order.
   *
   * @param waitMs longest wait for a lock.
   */
  runForKey(items: readonly Item[], waitMs: number): Promise<readonly Result[]>;
  /** Error for an item that waited too long. @param cause the error of PostgreSQL. */
  lockedError(cause: unknown): Error;
  /** Most items in one batch. */
  maxItems: number;
}

interface Waiting<Item> {
  item: Item;
  since: number;
}
type Turn<Result> = readonly PromiseSettledResult<Result>[] | typeof AGAIN | typeof ALONE;
interface Lane<Item, Result> {
  batches: Batcher<Waiting<Item>, PromiseSettledResult<Result>>;
  callers: number;
}

/** Below the 10 s after which PostgreSQL cancels a statement, so that the error names the lock. */
const LONGEST_WAIT_MS = 5_000;
/** Most statements at a time, both for single items and for keys that wait for locks. */
const APART_AT_ONCE = 4;
/**
 * Milliseconds that a statement first waits for a lock. After that, other keys have their turn, so
 * that a long lock does not delay keys whose lock ends soon. Each turn is as long as all earlier
 * ones together, because a statement that gives up returns to the end of the lock's queue.
 */
const FIRST_TURN_MS = 200;

/**
 * Groups work on rows of users or wallets into batches, one batch at a time. The batch skips a key
 * (the id of a user or wallet) whose rows another transaction has locked, for example an account
 * deletion. The items of that key wait apart, in turns, so that other keys need not wait. If
 * PostgreSQL refuses a statement with several items, each item is tried alone, so that one bad item
 * affects no other.
 */
export class KeyedBatches<Item, Result> {
  /** Longest time that an item waits apart. Specs change it. */
  longestWaitMs = LONGEST_WAIT_MS;

  private readonly shared: Batcher<Item, Result | typeof LOCKED | typeof ALONE>;
  private readonly single: Batcher<Item, Result | typeof LOCKED>;
  /** Lanes of the keys for which items wait. */
  private readonly lanes = new Map<string, Lane<Item, Result>>();
  /** Semaphore on which lanes take turns. */
  private readonly slots: Batcher<readonly Waiting<Item>[], Turn<Result>>;

  constructor(private readonly work: KeyedWork<Item, Result>) {
    this.shared = new Batcher((items) => this.runShared(items), { maxItems: work.maxItems });
    this.single = new Batcher((items) => this.runSingle(items), { maxItems: 1, maxRunning: APART_AT_ONCE });
    this.slots = new Batcher(async ([waiting = []]) => [await this.runLane(waiting)], {
      maxItems: 1,
      maxRunning: APART_AT_ONCE,
    });
  }

  /**
   * Runs the work for one item, in a batch with others, and returns its result.
   *
   * @throws the error of `lockedError` if another transaction kept the item's rows locked for
   * `longestWaitMs`; nothing was done then. Any other error of the work.
   */
  async add(item: Item): Promise<Result> {
    const key = this.work.keyOf(item);
    if (this.lanes.has(key)) return this.wait(key, item);
    const first = await this.shared.addItem(item);
    const result = first === ALONE ? await this.single.addItem(item) : first;
    return result === LOCKED ? this.wait(key, item) : result;
  }

  /**
   * Puts an item whose key is locked into the lane of this key, and returns its result or throws
   * its error. Items of the same key that arrive during a statement share the next one.
   */
  private async wait(key: string, item: Item): Promise<Result> {
    const lane = this.lanes.get(key) ?? { batches: this.laneBatches(), callers: 0 };
    this.lanes.set(key, lane);
    lane.callers++;
    try {
      const settled = await lane.batches.addItem({ item, since: performance.now() });
      if (settled.status === 'rejected') throw settled.reason;
      return settled.value;
    } finally {
      if (--lane.callers === 0) this.lanes.delete(key);
    }
  }

  private laneBatches(): Batcher<Waiting<Item>, PromiseSettledResult<Result>> {
    return new Batcher((waiting) => this.takeTurns(waiting), { maxItems: this.work.maxItems });
  }

  private async takeTurns(waiting: readonly Waiting<Item>[]): Promise<readonly PromiseSettledResult<Result>[]> {
    for (;;) {
      const turn = await this.slots.addItem(waiting);
      if (turn === ALONE) return this.takeTurnsAlone(waiting);
      if (turn !== AGAIN) return turn;
    }
  }

  private async takeTurnsAlone(waiting: readonly Waiting<Item>[]): Promise<readonly PromiseSettledResult<Result>[]> {
    const settled: PromiseSettledResult<Result>[] = [];
    for (const one of waiting) settled.push(...(await this.takeTurns([one])));
    return settled;
  }

  private async runShared(items: Item[]): Promise<readonly (Result | typeof LOCKED | typeof ALONE)[]> {
    try {
      return await this.work.runBatch(items);
    } catch (error) {
      if (!isOfStatement(error)) throw error;
      return items.map(() => ALONE);
    }
  }

  private async runSingle(items: Item[]): Promise<readonly (Result | typeof LOCKED)[]> {
    try {
      return await this.work.runBatch(items);
    } catch (error) {
      if (!isOfLock(error)) throw error;
      return items.map(() => LOCKED);
    }
  }

  /**
   * Runs one turn of a lane: one statement for all its items. Returns a result or an error for each
   * item; `AGAIN` if the rows are still locked and time is left; `ALONE` if PostgreSQL refused
   * several items together. Items that have waited too long get at least one try.
   */
  private async runLane(waiting: readonly Waiting<Item>[]): Promise<Turn<Result>> {
    const end = Math.min(...waiting.map(({ since }) => since)) + this.longestWaitMs;
    const items = waiting.map(({ item }) => item);
    const [all] = await Promise.allSettled([this.runForKey(items, end)]);
    if (all.status === 'fulfilled') return all.value.map((value) => ({ status: 'fulfilled', value }));
    if (isOfLock(all.reason)) return performance.now() < end ? AGAIN : items.map(() => this.locked(all.reason));
    return items.length === 1 || !isOfStatement(all.reason) ? items.map(() => all) : ALONE;
  }

  private runForKey(items: readonly Item[], end: number): Promise<readonly Result[]> {
    const left = end - performance.now();
    const turn = Math.max(FIRST_TURN_MS, this.longestWaitMs - left);
    // A `lock_timeout` of 0 would wait without limit.
    const waitMs = Math.max(1, Math.floor(Math.min(turn, left)));
    return this.work.runForKey(items, waitMs);
  }

  private locked(cause: unknown): PromiseRejectedResult {
    return { status: 'rejected', reason: this.work.lockedError(cause) };
  }
}

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'severity' in error && 'code' in error ? String(error.code) : undefined;

/**
 * True if PostgreSQL refused the statement itself, also because a lock lasted too long. False if
 * the connection failed, resources were missing or the statement was canceled (classes 08, 53 and
 * 57), and for an error that is not of PostgreSQL.
 */
function isOfStatement(error: unknown): boolean {
  const code = codeOf(error);
  return code !== undefined && !/^(08|53|57)/.test(code);
}

/** True for PostgreSQL's errors `lock_not_available` and `deadlock_detected`. */
const isOfLock = (error: unknown): boolean => /^(55P03|40P01)$/.test(codeOf(error) ?? '');
