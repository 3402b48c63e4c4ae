import { Batches } from '@platform/platform';
import { UsageErrors } from './usage.errors.js';

/** `SKIP LOCKED` cannot skip a row that another transaction is just inserting. A batch waits that long for it. */
export const A_MOMENT_MS = 500;

/** Left out of the batch: another transaction holds a lock that the item needs. */
export const HELD = Symbol('held');
/** The whole batch failed, maybe for another item: this one is tried by itself. */
const ALONE = Symbol('alone');

/** What is done for users. An item is of one of them. */
export interface UserWork<Item, Result> {
  userOf(item: Item): string;
  /** Waits for nobody's locks longer than for `A_MOMENT_MS`. */
  runBatch(items: readonly Item[]): Promise<readonly (Result | typeof HELD)[]>;
  /** All are of one user. @param waitMs how long it waits for a lock. */
  runForUser(items: readonly Item[], waitMs: number): Promise<readonly Result[]>;
  /** Of one batch. */
  maxItems: number;
  /** Batches at once. */
  maxRunning: number;
}

interface Waiting<Item> {
  item: Item;
  since: number;
}
interface Lane<Item, Result> {
  batches: Batches<Waiting<Item>, Result>;
  callers: number;
}

/** Below the 10 s after which PostgreSQL gives up a statement, so that the error says what it waited for. */
const LONGEST_WAIT_MS = 5_000;
/** Statements of one item, or that wait for the locks of one user. */
const APART_AT_ONCE = 4;

/**
 * Batches of what many users do, in which nobody waits for what somebody else does to one of them, such as erase them. A user whose rows are locked is
 * left out of the batch and waits apart; what fails for one user fails for nobody else.
 */
export class UserBatches<Item, Result> {
  /** How long an item waits apart. Specs change it. */
  longestWaitMs = LONGEST_WAIT_MS;

  private readonly shared: Batches<Item, Result | typeof HELD | typeof ALONE>;
  private readonly single: Batches<Item, Result | typeof HELD>;
  /** By users for whom somebody waits. */
  private readonly lanes = new Map<string, Lane<Item, Result>>();
  /** Lanes take turns here: a semaphore of that many places. */
  private readonly slots: Batches<readonly Waiting<Item>[], readonly Result[]>;

  constructor(private readonly work: UserWork<Item, Result>) {
    const { maxItems, maxRunning } = work;
    this.shared = new Batches((items) => this.runShared(items), { maxItems, maxRunning });
    this.single = new Batches((items) => this.runSingle(items), { maxItems: 1, maxRunning: APART_AT_ONCE });
    this.slots = new Batches(async ([waiting = []]) => [await this.runLane(waiting)], { maxItems: 1, maxRunning: APART_AT_ONCE });
  }

  /** @throws AppError 503 when somebody else had what it needs locked for too long: then nothing was done. */
  async add(item: Item): Promise<Result> {
    const userId = this.work.userOf(item);
    if (this.lanes.has(userId)) return this.wait(userId, item);
    const first = await this.shared.add(item);
    const result = first === ALONE ? await this.single.add(item) : first;
    return result === HELD ? this.wait(userId, item) : result;
  }

  /** What comes for the user meanwhile makes the next statement. */
  private async wait(userId: string, item: Item): Promise<Result> {
    const lane = this.lanes.get(userId) ?? { batches: this.laneBatches(), callers: 0 };
    this.lanes.set(userId, lane);
    lane.callers++;
    try {
      return await lane.batches.add({ item, since: performance.now() });
    } finally {
      if (--lane.callers === 0) this.lanes.delete(userId);
    }
  }

  private laneBatches(): Batches<Waiting<Item>, Result> {
    return new Batches((waiting) => this.slots.add(waiting), { maxItems: this.work.maxItems });
  }

  private async runShared(items: Item[]): Promise<readonly (Result | typeof HELD | typeof ALONE)[]> {
    try {
      return await this.work.runBatch(items);
    } catch (error) {
      if (!isOfStatement(error)) throw error;
      return items.map(() => ALONE);
    }
  }

  private async runSingle(items: Item[]): Promise<readonly (Result | typeof HELD)[]> {
    try {
      return await this.work.runBatch(items);
    } catch (error) {
      if (!isOfLock(error)) throw error;
      return items.map(() => HELD);
    }
  }

  /** Who has waited for their turn already tries it once, at least. */
  private async runLane(waiting: readonly Waiting<Item>[]): Promise<readonly Result[]> {
    const waited = performance.now() - Math.min(...waiting.map(({ since }) => since));
    try {
      return await this.work.runForUser(
        waiting.map(({ item }) => item),
        // A `lock_timeout` of 0 would be none.
        Math.max(1, Math.floor(this.longestWaitMs - waited)),
      );
    } catch (error) {
      throw isOfLock(error) ? UsageErrors.held(error) : error;
    }
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
