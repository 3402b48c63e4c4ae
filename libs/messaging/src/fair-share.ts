/** Owners that a process works for at the same time, unless the queue sets another number. */
export const OWNERS_AT_ONCE = 64;

/** An owner that got fewer places than this lately can be favoured; see `FairShare`. */
const FEW = 8;
/** Milliseconds after which the places that an owner got count half. */
const HALF_LIFE_MS = 10_000;
/** Milliseconds after which a job is assumed to wait rather than compute. It then takes no slot. */
const HANGS_AFTER_MS = 2_000;
/** Every nth place goes to the oldest waiting job; this is n. */
const OLDEST_EVERY = 4;
/** Above this number of owners, those that got no place for a while are forgotten. */
const MOST_REMEMBERED = 1_000;

/** Waiting jobs of an owner. */
export interface Line {
  owner: string;
  /** The first of its jobs: at least one, at most `FairShare.maxPlacesOfOwner`. */
  ids: string[];
}

interface Contention {
  /** True if a slot is free for owners that got `FEW` places or more lately. */
  isFree: boolean;
  /**
   * True if a slot is free for owners that got fewer. The places of favoured owners do not count.
   */
  isFreeForFew: boolean;
  /** True if more owners want a place than can have one. */
  oneEach: boolean;
  /** The smallest number of places that any owner that waits without a place got lately. */
  leastGiven: number;
  /** Median of the places that owners got lately, over the owners that have or want a place. */
  median: number;
}

/**
 * Shares the capacity of a queue among the owners of its jobs.
 *
 * - A job has a *place* from its hand-over to the queue until it ends, fails or is postponed. A job
 *   without a place waits in the outbox, where it delays no other job.
 * - A place takes a *slot* for its first 2 s (`HANGS_AFTER_MS`). A job that runs longer is
 *   assumed to wait for something, such as a slow server.
 * - An owner is *favoured* if it got no place lately, or fewer than 8 (`FEW`) and less than half of
 *   the median. On a slow machine all owners get few places; because of the median not all of them
 *   are favoured.
 *
 * An owner can get another place if both are true:
 * 1. The owner is favoured, or a slot is free. The place of a favoured owner takes a slot only from
 *    owners that got 8 places or more: otherwise many owners with a job now and then could make an
 *    owner with few places wait forever.
 * 2. The owner has no place, and fewer than `owners` owners have one. Or the owner has fewer places
 *    than its share, fewer than `slots` places are additional places of any owner, and at most
 *    `owners` owners have or want a place.
 *
 * If more owners want a place than can have one, each owner gets a place for one job, and then the
 * next owner has its turn. An owner that got its next place before the end of its last job would
 * make the others wait forever. Only a favoured owner that got fewer places than each owner without
 * a place can then have additional places.
 *
 * The share is slots / (owners with a place + 1), so that one share is free for the next owner. For
 * a favoured owner it is half of the slots.
 *
 * Among the owners that can get a place, the owner that got the fewest lately comes first. One in
 * four places goes to the oldest waiting job instead, so that no job waits forever while new owners
 * keep arriving.
 */
export class FairShare {
  /** Jobs with a place, by id: the owner and the time since when. */
  private readonly held = new Map<string, { owner: string; at: number; wasFavoured: boolean }>();
  /** Number of places, by owner. */
  private readonly places = new Map<string, number>();
  private readonly given = new Map<string, { count: number; at: number }>();
  private turns = 0;

  constructor(
    private readonly slots: number,
    private readonly owners: number,
  ) {}

  /** Maximum number of places at the same time. */
  get maxPlaces(): number {
    return this.owners + this.slots;
  }

  get maxPlacesOfOwner(): number {
    return Math.max(1, Math.floor(this.slots / 2));
  }

  /** Ids of the jobs that have a place. */
  get ids(): string[] {
    return [...this.held.keys()];
  }

  /**
   * Gives places to as many waiting jobs as can have one by the rules of this class, and passes
   * over jobs that have one. A job with a place can be handed to the queue. Returns the ids of the
   * jobs that got a place now, in the order of their turns; an empty list if no job can have a
   * place.
   *
   * @param isPart true if more owners wait than `waitingLines` contains, and more than can have a
   * place
   */
  assignPlaces(waitingLines: readonly Line[], isPart = false): string[] {
    this.forgetSome();
    const waiting = waitingLines.map(({ owner, ids }) => ({ owner, ids: ids.filter((id) => !this.held.has(id)) }));
    // The sum stays the same when a waiting owner gets its first place.
    const newcomers = waiting.filter(({ owner, ids }) => ids.length > 0 && !this.places.has(owner)).length;
    const oneEach = isPart || this.places.size + newcomers > this.owners;
    const chosen: string[] = [];
    const hangingSince = performance.now() - HANGS_AFTER_MS;
    const median = this.medianGiven(waiting);
    const young = [...this.held.values()].filter(({ at }) => at > hangingSince);
    let slotsNotFavoured = young.filter(({ wasFavoured }) => !wasFavoured).length;
    for (;;) {
      const isFree = young.length + chosen.length < this.slots;
      const isFreeForFew = slotsNotFavoured < this.slots;
      const lines = waiting.filter(({ ids }) => ids.length > 0);
      const withoutPlace = lines.filter(({ owner }) => !this.places.has(owner));
      const leastGiven = isPart ? 0 : Math.min(...withoutPlace.map(({ owner }) => this.lately(owner)));
      const line = this.next(
        lines.filter(({ owner }) => this.mayHavePlace(owner, { isFree, isFreeForFew, oneEach, leastGiven, median })),
      );
      const id = line?.ids.shift();
      if (!line || id === undefined) return chosen;
      const wasFavoured = this.isFavoured(line.owner, median);
      if (!wasFavoured) slotsNotFavoured++;
      this.hold(line.owner, id, wasFavoured);
      chosen.push(id);
    }
  }

  /** Ends the place of a job, if it has one. */
  releasePlace(id: string): void {
    const owner = this.held.get(id)?.owner;
    if (owner === undefined) return;
    this.held.delete(id);
    const left = (this.places.get(owner) ?? 0) - 1;
    if (left > 0) this.places.set(owner, left);
    else this.places.delete(owner);
  }

  /**
   * Like `releasePlace`, for a place that was not used, because another process has the job or the
   * queue is unavailable. It does not count as given.
   */
  withdrawPlace(id: string): void {
    const owner = this.held.get(id)?.owner;
    if (owner === undefined) return;
    const given = this.given.get(owner);
    if (given) given.count = Math.max(0, given.count - 1);
    this.releasePlace(id);
  }

  private hold(owner: string, id: string, wasFavoured: boolean): void {
    this.held.set(id, { owner, at: performance.now(), wasFavoured });
    this.places.set(owner, (this.places.get(owner) ?? 0) + 1);
    this.given.set(owner, { count: this.lately(owner) + 1, at: performance.now() });
  }

  private mayHavePlace(owner: string, { isFree, isFreeForFew, oneEach, leastGiven, median }: Contention): boolean {
    const own = this.places.get(owner) ?? 0;
    const lately = this.lately(owner);
    const isFavoured = this.isFavoured(owner, median);
    if (!isFavoured && !(lately < FEW ? isFreeForFew : isFree)) return false;
    if (!own) return this.places.size < this.owners;
    if (oneEach && !(isFavoured && lately < leastGiven)) return false;
    const share = isFavoured ? this.maxPlacesOfOwner : Math.floor(this.slots / (this.places.size + 1));
    return own < share && this.held.size - this.places.size < this.slots;
  }

  private isFavoured(owner: string, median: number): boolean {
    const lately = this.lately(owner);
    return lately === 0 || (lately < FEW && lately < median / 2);
  }

  /**
   * Median of the places that owners got lately, over the owners that have or want a place; 0
   * without such owners. If their number is even, it is the higher of the two middle values.
   */
  private medianGiven(waiting: readonly Line[]): number {
    const owners = new Set([
      ...this.places.keys(),
      ...waiting.filter(({ ids }) => ids.length > 0).map(({ owner }) => owner),
    ]);
    const given = [...owners].map((owner) => this.lately(owner)).sort((one, other) => one - other);
    return given[Math.floor(given.length / 2)] ?? 0;
  }

  private next(lines: Line[]): Line | undefined {
    if (!lines.length) return undefined;
    const byAge = (a: Line, b: Line): number => ((a.ids[0] ?? '') < (b.ids[0] ?? '') ? -1 : 1);
    const byGiven = (a: Line, b: Line): number => this.lately(a.owner) - this.lately(b.owner) || byAge(a, b);
    const isBefore = ++this.turns % OLDEST_EVERY ? byGiven : byAge;
    return lines.reduce((first, line) => (isBefore(line, first) < 0 ? line : first));
  }

  /**
   * Number of places that the owner got lately for its jobs, those of jobs that have ended
   * included. A place is a job that was handed to the queue, as in `FairShare`, and not a slot.
   * Each counts half after 10 s, a quarter after 20 s, and so on; a sum below a half is 0.
   */
  private lately(owner: string): number {
    const given = this.given.get(owner);
    const count = given ? given.count * 0.5 ** ((performance.now() - given.at) / HALF_LIFE_MS) : 0;
    return count < 0.5 ? 0 : count;
  }

  private forgetSome(): void {
    if (this.given.size <= MOST_REMEMBERED) return;
    for (const owner of this.given.keys()) if (!this.lately(owner)) this.given.delete(owner);
  }
}
