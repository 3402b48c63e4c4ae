import { Batches } from '@platform/platform';

/** `SKIP LOCKED` cannot skip a row that another transaction is just inserting. A batch waits that long for it. */
export const A_MOMENT_MS = 500;

/** Left out of the batch: another transaction holds a lock that the item needs. */
export const LOCKED = Symbol('locked');
/** The whole batch failed, maybe for another item: this one is tried by itself. */
const ALONE = Symbol('alone');
/** Its turn is over, and it may wait for another one. */
const AGAIN = Symbol('again');

/** Work on rows that others may have locked. The key of an item is the id of its user or wallet. */
export interface KeyedWork<Item, Result> {
  keyOf(item: Item): string;
  /** Waits for nobody's locks longer than for `A_MOMENT_MS`. */
  runBatch(items: readonly Item[]): Promise<readonly (Result | typeof LOCKED)[]>;
  /** All are of one key. @param waitMs how long it waits for a lock. */
  runForKey(items: readonly Item[], waitMs: number): Promise<readonly Result[]>;
  /** What an item fails with that waited too long. @param cause what PostgreSQL said. */
  lockedError(cause: unknown): Error;
  /** Of one batch. */
  maxItems: number;
}

interface Waiting<Item> {
  item: Item;
  since: number;
}
type Turn<Result> = readonly PromiseSettledResult<Result>[] | typeof AGAIN | typeof ALONE;
interface Lane<Item, Result> {
  batches: Batches<Waiting<Item>, PromiseSettledResult<Result>>;
  callers: number;
}

/** Below the 10 s after which PostgreSQL gives up a statement, so that the error says what it waited for. */
const LONGEST_WAIT_MS = 5_000;
/** Statements of one item, or that wait for the locks of one key. */
const APART_AT_ONCE = 4;
/**
 * A statement waits that long for a lock at first. Then it is the turn of other keys, so that those whose lock ends soon wait for none that lasts. Each turn
 * is as long as all before it: whoever gives up a lock waits for it at the end of its queue again.
 */
const FIRST_TURN_MS = 200;

/**
 * Groups work on rows of users or wallets into batches, one batch at a time. A key whose rows somebody else has locked, such as an erasure, is
 * left out of the batch: its items wait apart, in turns, so that others need not wait. When PostgreSQL refuses a statement of several items, each
 * is tried alone, so what fails for one item fails for no other.
 */
export class KeyedBatches<Item, Result> {
  /** How long an item waits apart. Specs change it. */
  longestWaitMs = LONGEST_WAIT_MS;

  private readonly shared: Batches<Item, Result | typeof LOCKED | typeof ALONE>;
  private readonly single: Batches<Item, Result | typeof LOCKED>;
  /** By keys for which somebody waits. */
  private readonly lanes = new Map<string, Lane<Item, Result>>();
  /** Lanes take turns here: a semaphore of that many places. */
  private readonly slots: Batches<readonly Waiting<Item>[], Turn<Result>>;

  constructor(private readonly work: KeyedWork<Item, Result>) {
    this.shared = new Batches((items) => this.runShared(items), { maxItems: work.maxItems });
    this.single = new Batches((items) => this.runSingle(items), { maxItems: 1, maxRunning: APART_AT_ONCE });
    this.slots = new Batches(async ([waiting = []]) => [await this.runLane(waiting)], { maxItems: 1, maxRunning: APART_AT_ONCE });
  }

  /** @throws what `lockedError` makes when somebody else had what it needs locked for too long: then nothing was done. */
  async add(item: Item): Promise<Result> {
    const key = this.work.keyOf(item);
    if (this.lanes.has(key)) return this.wait(key, item);
    const first = await this.shared.add(item);
    const result = first === ALONE ? await this.single.add(item) : first;
    return result === LOCKED ? this.wait(key, item) : result;
  }

  /** What comes for the key meanwhile makes the next statement. */
  private async wait(key: string, item: Item): Promise<Result> {
    const lane = this.lanes.get(key) ?? { batches: this.laneBatches(), callers: 0 };
    this.lanes.set(key, lane);
    lane.callers++;
    try {
      const settled = await lane.batches.add({ item, since: performance.now() });
      if (settled.status === 'rejected') throw settled.reason;
      return settled.value;
    } finally {
      if (--lane.callers === 0) this.lanes.delete(key);
    }
  }

  private laneBatches(): Batches<Waiting<Item>, PromiseSettledResult<Result>> {
    return new Batches((waiting) => this.takeTurns(waiting), { maxItems: this.work.maxItems });
  }

  private async takeTurns(waiting: readonly Waiting<Item>[]): Promise<readonly PromiseSettledResult<Result>[]> {
    for (;;) {
      const turn = await this.slots.add(waiting);
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

  /** One turn. Who has waited too long for it tries it once, at least. */
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
    // A `lock_timeout` of 0 would be none.
    const waitMs = Math.max(1, Math.floor(Math.min(turn, left)));
    return this.work.runForKey(items, waitMs);
  }

  private locked(cause: unknown): PromiseRejectedResult {
    return { status: 'rejected', reason: this.work.lockedError(cause) };
  }
}

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'severity' in error && 'code' in error ? String(error.code) : undefined;

/** PostgreSQL refused the statement. It is not away, nor short of connections, nor slow. */
function isOfStatement(error: unknown): boolean {
  const code = codeOf(error);
  return code !== undefined && !/^(08|53|57)/.test(code);
}

/** `lock_not_available`, `deadlock_detected`. */
const isOfLock = (error: unknown): boolean => /^(55P03|40P01)$/.test(codeOf(error) ?? '');
