import type { CancellationSignal } from './speed/cancellation.js';

/** The app that work is for, and the user or sender that requested the work. */
export interface SlotRequester {
  app: string;
  from: string;
}

export interface ConcurrencyLimits {
  /**
   * Slots that apps share with each other, and requesters with each other. An app or a requester
   * can hold as many slots as are free beside it. If few are free, each of n can hold 1/(n+1) of
   * all slots, so that a share is left for another.
   */
  slots: number;
  /**
   * Apps do not share slots, because a request can name any app: names that do not exist must not
   * take slots from apps that do.
   */
  anyAppMayBeNamed?: boolean;
  /**
   * Maximum number of slots in use at the same time. It is larger than `slots`, because a holder
   * keeps the slots that it took while there were few others.
   */
  maxSlots: number;
  /** Slots of one app. The requesters of the app share half of them. */
  perApp: number;
  /**
   * Slots of one app that were taken less than `COMPUTING_MS` ago. Much computing work of one app
   * would delay the work of all others. Work that runs longer mostly waits for something, such as a
   * slow server, and makes room for the next. Default: no limit.
   */
  perAppComputing?: number;
  /** Slots of one requester, in all apps together. */
  perRequester: number;
  /** Milliseconds that work waits for a slot. */
  waitMs: number;
  /** Waiting work of one requester, for all apps together. More is refused at once. */
  waiting: number;
  /** Waiting work of all requesters. More is refused at once. */
  maxWaiting: number;
}

/** Milliseconds for which work counts as computing after it began. */
export const COMPUTING_MS = 100;

/** A slot in use. `computing`: the timer that runs while the work counts as computing. */
interface Place {
  party: SlotRequester;
  computing: NodeJS.Timeout | undefined;
}

interface Waiter {
  begin: () => void;
}

interface Line {
  party: SlotRequester;
  waiters: Set<Waiter>;
}

/**
 * A concurrency limit with fair shares: a requester with long work fills only its own share, and
 * others get theirs without waiting. Work without a slot waits. Work of one party starts in order
 * of arrival, and parties take turns.
 */
export class ConcurrencyLimit {
  private readonly byApp: Shares;
  private readonly byRequester: Shares;
  private readonly inApps = new Map<string, Shares>();
  private readonly computing = new Tally();
  /** Waiting work of each party. Parties are in the order of their turns. */
  private readonly lines = new Map<string, Line>();
  private readonly waiting = new Tally();

  constructor(
    private readonly limits: ConcurrencyLimits,
    /** Makes the error for work that gets no slot. */
    private readonly full: () => Error,
  ) {
    const { slots, maxSlots, perApp, perRequester, anyAppMayBeNamed } = limits;
    this.byApp = new Shares(anyAppMayBeNamed ? Infinity : slots, maxSlots, perApp);
    this.byRequester = new Shares(slots, maxSlots, perRequester);
  }

  /**
   * Waits for a slot, runs `work` in it, and returns the result of `work`. The slot is free again
   * when `work` ends.
   *
   * @throws the error of `full` if no slot becomes free within `waitMs`, or at once if too much
   * work waits; the reason of `signal` if it is aborted before `work` begins; the error of `work`.
   */
  async runInSlot<T>(party: SlotRequester, work: () => Promise<T>, signal?: CancellationSignal): Promise<T> {
    signal?.throwIfAborted();
    const key = JSON.stringify([party.app, party.from]);
    const place = this.lines.has(key) || !this.has(party) ? await this.wait(key, party, signal) : this.hold(party);
    try {
      return await work();
    } finally {
      this.letGo(place);
    }
  }

  private has({ app, from }: SlotRequester): boolean {
    if (this.computing.of(app) >= (this.limits.perAppComputing ?? Infinity)) return false;
    return this.byApp.has(app) && this.byRequester.has(from) && (this.inApps.get(app)?.has(from) ?? true);
  }

  private hold(party: SlotRequester): Place {
    const { app, from } = party;
    const { perApp, perRequester } = this.limits;
    const inApp = this.inApps.get(app) ?? new Shares(Math.floor(perApp / 2), perApp, perRequester);
    this.inApps.set(app, inApp);
    this.byApp.held.count(app, 1);
    this.byRequester.held.count(from, 1);
    inApp.held.count(from, 1);
    const place: Place = { party, computing: undefined };
    if (this.limits.perAppComputing !== undefined) {
      this.computing.count(app, 1);
      place.computing = setTimeout(() => {
        this.endComputing(place);
        this.beginNext();
      }, COMPUTING_MS).unref();
    }
    return place;
  }

  private endComputing(place: Place): void {
    if (!place.computing) return;
    clearTimeout(place.computing);
    place.computing = undefined;
    this.computing.count(place.party.app, -1);
  }

  private letGo(place: Place): void {
    this.endComputing(place);
    const { app, from } = place.party;
    this.byApp.held.count(app, -1);
    this.byRequester.held.count(from, -1);
    const inApp = this.inApps.get(app);
    inApp?.held.count(from, -1);
    if (!inApp?.held.total) this.inApps.delete(app);
    this.beginNext();
  }

  private wait(key: string, party: SlotRequester, signal: CancellationSignal | undefined): Promise<Place> {
    return new Promise((resolve, reject) => {
      const line = this.lines.get(key) ?? { party, waiters: new Set<Waiter>() };
      if (this.waiting.of(party.from) >= this.limits.waiting || this.waiting.total >= this.limits.maxWaiting) {
        reject(this.full());
        return;
      }
      const leave = (): void => {
        clearTimeout(patience);
        signal?.removeEventListener('abort', onAbort);
        line.waiters.delete(waiter);
        this.waiting.count(party.from, -1);
        if (!line.waiters.size) this.lines.delete(key);
      };
      const giveUp = (error: Error): void => {
        leave();
        reject(error);
      };
      const waiter = {
        begin: () => {
          leave();
          resolve(this.hold(party));
        },
      };
      const onAbort = (): void => giveUp(signal?.reason as Error);
      const patience = setTimeout(() => giveUp(this.full()), this.limits.waitMs).unref();
      signal?.addEventListener('abort', onAbort, { once: true });
      line.waiters.add(waiter);
      this.waiting.count(party.from, 1);
      this.lines.set(key, line);
    });
  }

  /**
   * Starts the first waiting work of each party for which a slot is free. Parties take turns until
   * no slot is free.
   */
  private beginNext(): void {
    // A party that had its turn moves to the end, and this loop reaches it again.
    for (const [key, line] of this.lines) {
      if (!this.has(line.party)) continue;
      const [first] = line.waiters;
      this.lines.delete(key);
      if (line.waiters.size > 1) this.lines.set(key, line);
      first?.begin();
    }
  }
}

/** The slots of several owners, and the number that each can hold. */
class Shares {
  readonly held = new Tally();

  constructor(
    private readonly slots: number,
    private readonly most: number,
    private readonly perOwner: number,
  ) {}

  has(owner: string): boolean {
    const { slots, most, perOwner, held } = this;
    const own = held.of(owner);
    const share = Math.max(1, Math.floor(slots / (held.owners + (own ? 1 : 2))));
    const free = slots - held.total;
    return held.total < most && own < Math.min(Math.max(share, free), perOwner);
  }
}

/** Counts of several owners. */
class Tally {
  total = 0;
  private readonly counts = new Map<string, number>();

  get owners(): number {
    return this.counts.size;
  }

  of(owner: string): number {
    return this.counts.get(owner) ?? 0;
  }

  count(owner: string, by: number): void {
    const left = this.of(owner) + by;
    this.total += by;
    if (left) this.counts.set(owner, left);
    else this.counts.delete(owner);
  }
}
