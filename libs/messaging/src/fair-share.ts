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
/** What is put aside beyond these comes again only by itself. */
const MOST_REMEMBERED = 20_000;

/** Undefined: the jobs of nobody, which share as one. */
type Owner = string | undefined;

/** What is asked of the queue. */
export interface Asides {
  /** Has a job come that was put aside; false when it is not put aside any more. */
  call(id: string): Promise<boolean>;
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
 * that no later job of the owner overtakes it. Most is put aside when it is handed to the queue, so that nobody's jobs stand in the queue
 * before those of others.
 */
export class FairShare {
  /** Jobs that run, and places that are kept. */
  private readonly held = new Map<Owner, number>();
  /** Of those, all that have an owner. */
  private total = 0;
  /** Of owners in the order of their turns: jobs in the order in which they came, and how often each was put aside. */
  private readonly aside = new Map<Owner, Map<string, number>>();
  private remembered = 0;
  /** How many jobs are being put aside, and are not in `aside` yet. */
  private onTheirWay = 0;
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
    if (this.aside.has(owner) || !this.hasPlace(owner)) return this.putAside(owner, id);
    this.reserve(owner, id);
    return null;
  }

  /** Null: it may begin, and `over` ends it. Otherwise it is to be put aside for so many milliseconds, unless it is called before. */
  begin(owner: Owner, id: string): number | null {
    if (!this.isReserved(id)) {
      if (!this.hasPlace(owner)) return this.putAside(owner, id);
      this.hold(owner);
    }
    this.forget(owner, id);
    return null;
  }

  /** Follows when the job has been put aside, or could not be: from now on it can be called. */
  wasPutAside(owner: Owner, id: string): void {
    this.onTheirWay--;
    const jobs = this.aside.get(owner) ?? new Map<string, number>();
    const times = jobs.get(id);
    if (times === undefined && this.remembered >= MOST_REMEMBERED) return;
    if (times === undefined) this.remembered++;
    jobs.set(id, (times ?? 0) + 1);
    this.aside.set(owner, jobs);
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
    const owners = this.held.size - (this.held.has(undefined) ? 1 : 0);
    if (!own) return owners < this.owners;
    return this.total < this.slots && own < Math.floor(this.slots / (owners + 1));
  }

  private hold(owner: Owner): void {
    this.held.set(owner, (this.held.get(owner) ?? 0) + 1);
    if (owner !== undefined) this.total++;
  }

  private letGo(owner: Owner): void {
    const left = (this.held.get(owner) ?? 0) - 1;
    if (left > 0) this.held.set(owner, left);
    else this.held.delete(owner);
    if (owner !== undefined) this.total--;
  }

  private putAside(owner: Owner, id: string): number {
    this.onTheirWay++;
    return this.waitOf(this.aside.get(owner)?.get(id) ?? 0);
  }

  private waitOf(times: number): number {
    const waitMs = Math.max(FIRST_WAIT_MS * 2 ** times, STEP_MS * (this.remembered + this.onTheirWay));
    return Math.round(Math.min(LONGEST_WAIT_MS, waitMs) * (0.75 + Math.random() / 4));
  }

  /** A job of each owner that has a place, in turns, while there are any. */
  private callNext(): void {
    let anyCalled = true;
    while (anyCalled) {
      anyCalled = false;
      for (const [owner, jobs] of [...this.aside]) {
        const [id] = this.hasPlace(owner) ? jobs.keys() : [];
        if (id === undefined) continue;
        // Whoever had its turn goes to the end.
        this.aside.delete(owner);
        this.aside.set(owner, jobs);
        this.forget(owner, id);
        this.reserve(owner, id);
        void this.queue.call(id).then((isThere) => {
          if (!isThere) this.giveUp(id);
        });
        anyCalled = true;
      }
    }
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
    const jobs = this.aside.get(owner);
    if (!jobs?.delete(id)) return;
    this.remembered--;
    if (!jobs.size) this.aside.delete(owner);
  }
}
