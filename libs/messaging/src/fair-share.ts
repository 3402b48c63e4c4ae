/** How many owners a process works for at once, unless the queue says another number. */
export const OWNERS_AT_ONCE = 64;

/** An owner who was given fewer places than this lately may be favoured; see `FairShare`. */
const FEW = 8;
/** After so long what an owner was given counts half, in milliseconds. */
const HALF_LIFE_MS = 10_000;
/** What has had its place for so long waits for others rather than computes, and holds no slot. */
const HANGS_AFTER_MS = 2_000;
/** One place in so many goes to what has waited longest. */
const OLDEST_EVERY = 4;
/** Of more owners it is forgotten who was given nothing for a while. */
const MOST_REMEMBERED = 1_000;

/** What an owner has waiting. */
export interface Line {
  owner: string;
  /** The first of its jobs: at least one, at most `FairShare.maxPlacesOfOwner`. */
  ids: string[];
}

interface Contention {
  /** Whether a slot is free: for owners who were given `FEW` places or more. */
  isFree: boolean;
  /** The same for owners who were given fewer: the places of favoured owners are not counted. */
  isFreeForFew: boolean;
  /** Whether more owners want a place than can have one. */
  oneEach: boolean;
  /** The smallest number of places that any owner who waits without a place was given lately. */
  leastGiven: number;
  /** The median of what the owners who have or want a place were given lately. */
  median: number;
}

/**
 * Shares the places of a queue among the owners of its jobs. A job has a *place* from when it is handed to the queue until it is over, fails or is
 * postponed; without one it waits in the outbox, where it stands in nobody's way. A place takes a *slot* for its first 2 s (`HANGS_AFTER_MS`): what
 * runs longer waits for something, such as a slow server.
 *
 * An owner is *favoured* who was given nothing lately, or fewer than 8 places (`FEW`) and less than half of the median. On a slow machine all owners are
 * given few; the median keeps them from being favoured all together.
 *
 * An owner may have another place when
 * 1. the owner is favoured, or a slot is free. A place that was given to a favoured owner takes a slot only from owners who were given 8 or more: otherwise
 *    many owners with one job now and then would keep an owner with few waiting for good; and
 * 2. it has none, and fewer than `owners` owners have one; or it has some, fewer than its share, and fewer than `slots` places are second ones of
 *    anybody, and no more than `owners` owners have or want a place.
 *
 * Where more owners want a place than can have one, each so has its place for one job, and then it is the turn of another. An owner who got the next
 * place before the last job is over would keep the others waiting for good. Only a favoured owner who was given less than any of those who wait
 * without a place has further places then, too.
 *
 * The share is slots / (owners with a place + 1), so that one share is free for who comes next; for a favoured owner, half of the slots.
 *
 * Of those who may have a place it goes to who was given least lately, and one in four to whose job has waited longest, so that nobody waits
 * for good beside owners who come anew without end.
 */
export class FairShare {
  /** The jobs that have a place, whose they are, and since when. */
  private readonly held = new Map<string, { owner: string; at: number; wasFavoured: boolean }>();
  /** How many places each has. */
  private readonly places = new Map<string, number>();
  private readonly given = new Map<string, { count: number; at: number }>();
  private turns = 0;

  constructor(
    private readonly slots: number,
    private readonly owners: number,
  ) {}

  /** No more places are given at once. */
  get maxPlaces(): number {
    return this.owners + this.slots;
  }

  get maxPlacesOfOwner(): number {
    return Math.max(1, Math.floor(this.slots / 2));
  }

  /** The jobs that have a place. */
  get ids(): string[] {
    return [...this.held.keys()];
  }

  /**
   * Gives places to as many of those that wait as can have one. Returns these jobs in the order of their turns.
   *
   * @param isPart more owners wait than `waitingLines` has, and more than can have a place
   */
  give(waitingLines: readonly Line[], isPart = false): string[] {
    this.forgetSome();
    const waiting = waitingLines.map(({ owner, ids }) => ({ owner, ids: ids.filter((id) => !this.held.has(id)) }));
    // The sum stays the same when one of those that wait gets its first place.
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
      const line = this.next(lines.filter(({ owner }) => this.mayHavePlace(owner, { isFree, isFreeForFew, oneEach, leastGiven, median })));
      const id = line?.ids.shift();
      if (!line || id === undefined) return chosen;
      const wasFavoured = this.isFavoured(line.owner, median);
      if (!wasFavoured) slotsNotFavoured++;
      this.hold(line.owner, id, wasFavoured);
      chosen.push(id);
    }
  }

  /** A job has its place no more, if it had one. */
  release(id: string): void {
    const owner = this.held.get(id)?.owner;
    if (owner === undefined) return;
    this.held.delete(id);
    const left = (this.places.get(owner) ?? 0) - 1;
    if (left > 0) this.places.set(owner, left);
    else this.places.delete(owner);
  }

  /** As `release`, of a place that was not used, since another process has the job or the queue is away: it does not count as given. */
  withdraw(id: string): void {
    const owner = this.held.get(id)?.owner;
    if (owner === undefined) return;
    const given = this.given.get(owner);
    if (given) given.count = Math.max(0, given.count - 1);
    this.release(id);
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

  /** Of an even number the higher of the middle two. */
  private medianGiven(waiting: readonly Line[]): number {
    const owners = new Set([...this.places.keys(), ...waiting.filter(({ ids }) => ids.length > 0).map(({ owner }) => owner)]);
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

  /** How many places the owner was given: what is long ago counts less and less, and at last nothing. */
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
