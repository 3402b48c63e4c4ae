/** How many owners a process works for at once, unless the queue says another number. */
export const OWNERS_AT_ONCE = 64;

/** While a place is kept for a job: how often it is asked whether another process has the job, in milliseconds, and how many times. */
const LOOK_MS = 50;
const LOOKS = 20;
/** A job that nobody calls, since its process is gone, comes again by itself: soon at first, then less and less often. */
const FIRST_WAIT_MS = 1_500;
const LONGEST_WAIT_MS = 120_000;
/** Between two of many that come again by themselves. */
const STEP_MS = 20;
/** What is put aside beyond these, of one owner and in all, comes again only by itself. Of each owner one is remembered in any case. */
const MOST_OF_ONE = 1_000;
const MOST_REMEMBERED = 20_000;

/** Undefined: the jobs of nobody, which share as one. */
type Owner = string | undefined;

interface Remembered {
  /** How often this process put it aside. */
  times: number;
  /** How often it had been taken from the queue by then. */
  taken: number;
}

/** What an owner has put aside. */
interface Aside {
  /** What is remembered, in the order in which it came. */
  jobs: Map<string, Remembered>;
  /** About how many more there are. */
  beyond: number;
}

/** What is asked of the queue. */
export interface Asides {
  /**
   * Has a job come that was put aside when it had been taken so often; false when it is not put aside any more, or was taken since: then it may
   * wait for what another process decided, such as the time before its next attempt.
   */
  call(id: string, taken: number): Promise<boolean>;
  /** Whether no process has taken a job yet that was handed over or called. */
  isWaiting(id: string): Promise<boolean>;
}

/** How the jobs of a queue are shared among their owners. */
export interface Shared {
  owner: (payload: never) => Owner;
  share: FairShare;
}

/**
 * Shares what a process works on at once among the owners of the jobs.
 *
 * - An owner of whom nothing runs may begin although all slots are held, as long as there are fewer than `owners` others. What that bound
 *   holds back waits until one of them has nothing more that runs.
 * - Further jobs of an owner take slots: while fewer than `slots` jobs run, and the owner has less than its share of them, which leaves one
 *   share for another owner.
 * - Jobs of nobody run up to `slots` at once beside those.
 *
 * What may not begin is put aside and called once there is a place: of an owner what came first, and owners in turns. Its place is kept, so
 * that no later job of the owner overtakes it. Of each owner so many are remembered; where all have too many, the owner with most forgets its
 * newest, so that nobody's jobs take the room of others. What is not remembered comes again by itself, at a distance that grows with the
 * owner's own number. Most is put aside when it is handed to the queue, so that nobody's jobs stand in the queue
 * before those of others.
 */
export class FairShare {
  /** Jobs that run, and places that are kept. */
  private readonly held = new Map<Owner, number>();
  /** Of those, all that have an owner. */
  private total = 0;
  /** Of owners in the order of their turns. */
  private readonly aside = new Map<Owner, Aside>();
  private remembered = 0;
  /** How many jobs are being put aside, and are not in `aside` yet. */
  private readonly onTheirWay = new Map<Owner, number>();
  private allOnTheirWay = 0;
  /** Jobs that were handed over or called and have not begun: a place is kept for each, until a timer gives it up. */
  private readonly called = new Map<string, { owner: Owner; timer: NodeJS.Timeout }>();

  constructor(
    private readonly slots: number,
    private readonly owners: number,
    private readonly queue: Asides,
  ) {}

  /** No more run at once. */
  get most(): number {
    return this.owners + 2 * this.slots;
  }

  /**
   * When it is handed to the queue. Null: there is a place, which is kept for it. Otherwise it is to be put aside, as by `begin`. Not for
   * processes that run no jobs.
   */
  handOver(owner: Owner, id: string): number | null {
    if (this.called.has(id)) return null;
    if (this.aside.has(owner) || !this.hasPlace(owner)) return this.putAside(owner, id, 0);
    this.reserve(owner, id);
    return null;
  }

  /**
   * Null: it may begin, and `over` ends it. Otherwise it is to be put aside for so many milliseconds, unless it is called before. `taken`:
   * how often a worker has taken it from the queue, this time and those of other processes included. `isNew`: it was not put aside before.
   */
  begin(owner: Owner, id: string, taken: number, isNew: boolean): number | null {
    if (!this.isReserved(id)) {
      const aside = this.aside.get(owner);
      if (!isNew && aside?.beyond && !aside.jobs.has(id)) aside.beyond--;
      if (!this.hasPlace(owner)) return this.putAside(owner, id, taken);
      this.hold(owner);
    }
    this.forget(owner, id);
    return null;
  }

  /** Follows when the job has been put aside, or could not be: from now on it can be called, unless it is taken. `taken` as in `begin`. */
  wasPutAside(owner: Owner, id: string, taken: number): void {
    count(this.onTheirWay, owner, -1);
    this.allOnTheirWay--;
    const aside = this.aside.get(owner) ?? { jobs: new Map<string, Remembered>(), beyond: 0 };
    const times = aside.jobs.get(id)?.times;
    if (times === undefined && !this.makeRoom(aside)) {
      aside.beyond++;
      return;
    }
    if (times === undefined) this.remembered++;
    aside.jobs.set(id, { times: (times ?? 0) + 1, taken });
    this.aside.set(owner, aside);
    this.callNext();
  }

  /** A job that began is over. */
  over(owner: Owner): void {
    this.letGo(owner);
    this.callNext();
  }

  private hasPlace(owner: Owner): boolean {
    const own = this.held.get(owner) ?? 0;
    if (owner === undefined) return own < this.slots;
    if (!own) return this.working < this.owners;
    return this.total < this.slots && own < Math.floor(this.slots / (this.working + 1));
  }

  /** For how many owners it works. */
  private get working(): number {
    return this.held.size - (this.held.has(undefined) ? 1 : 0);
  }

  private hold(owner: Owner): void {
    count(this.held, owner, 1);
    if (owner !== undefined) this.total++;
  }

  private letGo(owner: Owner): void {
    count(this.held, owner, -1);
    if (owner !== undefined) this.total--;
  }

  private putAside(owner: Owner, id: string, taken: number): number {
    count(this.onTheirWay, owner, 1);
    this.allOnTheirWay++;
    const aside = this.aside.get(owner);
    const times = aside?.jobs.get(id)?.times;
    const own = (aside?.jobs.size ?? 0) + (this.onTheirWay.get(owner) ?? 0);
    const all = this.remembered + this.allOnTheirWay;
    // What is remembered is called, and comes by itself only should this process be gone.
    if (times !== undefined || (own <= MOST_OF_ONE && all <= MOST_REMEMBERED)) return this.waitOf(times ?? 0, all);
    return this.waitOf(Math.max(0, taken - 1), own + (aside?.beyond ?? 0));
  }

  private waitOf(times: number, others: number): number {
    const waitMs = Math.max(FIRST_WAIT_MS * 2 ** times, STEP_MS * others);
    return Math.round(Math.min(LONGEST_WAIT_MS, waitMs) * (0.75 + Math.random() / 4));
  }

  /** Whether one more of an owner may be remembered, for which the owner with most may have to forget its newest. */
  private makeRoom({ jobs }: Aside): boolean {
    if (jobs.size >= MOST_OF_ONE) return false;
    if (this.remembered < MOST_REMEMBERED) return true;
    let most: [Owner, Aside] | undefined;
    for (const each of this.aside) if (!most || each[1].jobs.size > most[1].jobs.size) most = each;
    if (!most || most[1].jobs.size <= jobs.size + 1) return jobs.size === 0;
    const newest = [...most[1].jobs.keys()].at(-1);
    if (newest !== undefined) this.forget(most[0], newest);
    most[1].beyond++;
    return true;
  }

  /** A job of each owner that has a place, in turns, while there are any. */
  private callNext(): void {
    // Whoever had its turn goes to the end, where this comes by again.
    for (const [owner, aside] of this.aside) {
      if (!this.hasAnyPlace()) return;
      const [first] = this.hasPlace(owner) ? aside.jobs : [];
      if (!first) continue;
      const [id, { taken }] = first;
      this.aside.delete(owner);
      this.aside.set(owner, aside);
      this.forget(owner, id);
      this.reserve(owner, id);
      void this.queue.call(id, taken).then((isThere) => {
        if (!isThere) this.giveUp(id);
      });
    }
  }

  /** False: no owner of those that have put jobs aside has a place. */
  private hasAnyPlace(): boolean {
    const isNobodys = this.aside.has(undefined) && this.hasPlace(undefined);
    return isNobodys || this.total < this.slots || this.working < this.owners;
  }

  private reserve(owner: Owner, id: string): void {
    this.hold(owner);
    this.called.set(id, { owner, timer: this.lookSoon(id, LOOKS) });
  }

  private lookSoon(id: string, looks: number): NodeJS.Timeout {
    return setTimeout(() => void this.look(id, looks), LOOK_MS).unref();
  }

  /** Gives the place up when another process has the job, or it does not come. */
  private async look(id: string, looks: number): Promise<void> {
    const isWaiting = looks > 0 && (await this.queue.isWaiting(id));
    const called = this.called.get(id);
    if (!isWaiting) this.giveUp(id);
    else if (called) called.timer = this.lookSoon(id, looks - 1);
  }

  private isReserved(id: string): boolean {
    const called = this.called.get(id);
    if (!called) return false;
    clearTimeout(called.timer);
    return this.called.delete(id);
  }

  private giveUp(id: string): void {
    const called = this.called.get(id);
    if (this.isReserved(id) && called) this.over(called.owner);
  }

  private forget(owner: Owner, id: string): void {
    const jobs = this.aside.get(owner)?.jobs;
    if (!jobs?.delete(id)) return;
    this.remembered--;
    if (!jobs.size) this.aside.delete(owner);
  }
}

function count(counts: Map<Owner, number>, owner: Owner, by: number): void {
  const left = (counts.get(owner) ?? 0) + by;
  if (left > 0) counts.set(owner, left);
  else counts.delete(owner);
}
