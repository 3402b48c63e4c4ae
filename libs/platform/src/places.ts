import type { CancellationSignal } from './speed/cancellation.js';

/** For which app something is to be done, and of whom that was asked: a user, or a sender. */
export interface Party {
  app: string;
  from: string;
}

export interface PlaceLimits {
  /**
   * What the apps share, and those who ask: each may hold as much as is free besides. When that is little, of n each may hold 1/(n+1), so that
   * there is a share for another.
   */
  slots: number;
  /** Apps share nothing, since whoever asks can name any: a name that leads nowhere must take nothing of those that do. */
  anyAppMayBeNamed?: boolean;
  /** No more is under way at once: more than `slots`, since who came when there were few keeps what it has. */
  most: number;
  /** Of one app. Half of it is shared among those who ask for that app. */
  perApp: number;
  /**
   * Of one app that began less than `COMPUTES_MS` ago. With many that compute, the work of others would have its turn behind each of them; what takes
   * longer waits for something, such as a slow server, and leaves room for the next. No bound unless told.
   */
  perAppComputing?: number;
  /** Of one who asks, in all apps together. */
  perAsker: number;
  /** How long what has no place waits for one. */
  waitMs: number;
  /** So much of one who asks waits, for all apps together; what comes then is refused at once. */
  waiting: number;
  /** So much waits in all. */
  mostWaiting: number;
}

/** In milliseconds. */
export const COMPUTES_MS = 100;

/** A place that is taken; `computing`: until it waits for others. */
interface Place {
  party: Party;
  computing: NodeJS.Timeout | undefined;
}

interface Waiter {
  begin: () => void;
}

interface Line {
  party: Party;
  waiters: Set<Waiter>;
}

/**
 * Bounds what is under way at once, so that whoever asks for what takes long holds its share and no more, and others have theirs without
 * waiting. What has no place waits: of a party what came first, and parties in turns.
 */
export class Places {
  private readonly byApp: Shares;
  private readonly byAsker: Shares;
  private readonly inApps = new Map<string, Shares>();
  private readonly computing = new Tally();
  /** Of parties in the order of their turns. */
  private readonly lines = new Map<string, Line>();
  private readonly waiting = new Tally();

  constructor(
    private readonly limits: PlaceLimits,
    /** What is thrown to what waited in vain. */
    private readonly full: () => Error,
  ) {
    const { slots, most, perApp, perAsker, anyAppMayBeNamed } = limits;
    this.byApp = new Shares(anyAppMayBeNamed ? Infinity : slots, most, perApp);
    this.byAsker = new Shares(slots, most, perAsker);
  }

  /**
   * What `work` gives, once there is a place for it, which it holds until it is over.
   *
   * @throws what `full` makes when there is none in time, or the reason of `signal` when that is aborted before it begins.
   */
  async with<T>(party: Party, work: () => Promise<T>, signal?: CancellationSignal): Promise<T> {
    signal?.throwIfAborted();
    const key = JSON.stringify([party.app, party.from]);
    const place = this.lines.has(key) || !this.has(party) ? await this.wait(key, party, signal) : this.hold(party);
    try {
      return await work();
    } finally {
      this.letGo(place);
    }
  }

  private has({ app, from }: Party): boolean {
    if (this.computing.of(app) >= (this.limits.perAppComputing ?? Infinity)) return false;
    return this.byApp.has(app) && this.byAsker.has(from) && (this.inApps.get(app)?.has(from) ?? true);
  }

  private hold(party: Party): Place {
    const { app, from } = party;
    const { perApp, perAsker } = this.limits;
    const inApp = this.inApps.get(app) ?? new Shares(Math.floor(perApp / 2), perApp, perAsker);
    this.inApps.set(app, inApp);
    this.byApp.held.count(app, 1);
    this.byAsker.held.count(from, 1);
    inApp.held.count(from, 1);
    const place: Place = { party, computing: undefined };
    if (this.limits.perAppComputing !== undefined) {
      this.computing.count(app, 1);
      place.computing = setTimeout(() => {
        this.endComputing(place);
        this.beginNext();
      }, COMPUTES_MS).unref();
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
    this.byAsker.held.count(from, -1);
    const inApp = this.inApps.get(app);
    inApp?.held.count(from, -1);
    if (!inApp?.held.total) this.inApps.delete(app);
    this.beginNext();
  }

  private wait(key: string, party: Party, signal: CancellationSignal | undefined): Promise<Place> {
    return new Promise((resolve, reject) => {
      const line = this.lines.get(key) ?? { party, waiters: new Set<Waiter>() };
      if (this.waiting.of(party.from) >= this.limits.waiting || this.waiting.total >= this.limits.mostWaiting) {
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

  /** One of each line that has a place, in turns, while there are any. */
  private beginNext(): void {
    // Whoever had its turn goes to the end, where this comes by again.
    for (const [key, line] of this.lines) {
      if (!this.has(line.party)) continue;
      const [first] = line.waiters;
      this.lines.delete(key);
      if (line.waiters.size > 1) this.lines.set(key, line);
      first?.begin();
    }
  }
}

/** How much each of some owners may hold. */
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

/** How many each owner has. */
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
