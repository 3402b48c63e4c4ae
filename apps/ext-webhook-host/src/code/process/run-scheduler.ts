import { LRUCache } from 'lru-cache';
import { TRANSIT } from '../code-limits.js';
import { largeItemBudget } from '../thread/shared-budget.js';

/** A thread that runs handlers, as the scheduler sees it. */
export interface Lane {
  /**
   * Milliseconds for which the code that runs at the moment has blocked the lane; 0 if none runs.
   */
  busyMs(): number;
}

export interface Waiting {
  run: number;
  app: string;
  /** KiB of its event and its part of the context. */
  kibibytes: number;
}

export interface SchedulerLimits {
  lanes: number;
  runsPerLane: number;
  runsPerApp: number;
  /** Apps that a lane keeps loaded. */
  appsPerLane: number;
  /** Runs that wait. */
  waitingPerApp: number;
  waiting: number;
  /** Data of runs that wait or run. Large runs can use only `largeItemBudget` of the sum. */
  kibibytesPerApp: number;
  kibibytes: number;
}

/** A lane in which the current code has run for longer than this gets no new run. */
const STUCK_MS = 5;
const LOOK_AGAIN_MS = 5;
/** Time for which an app that was stopped waits behind all others. */
const PENALTY_MS = 60_000;
const PENALTY_RUNS = 4;
/**
 * Runs of an app in one lane after which it can use an empty lane, although it must be loaded
 * there.
 */
const OWN_RUNS_BEFORE_LOADING = 2;
/**
 * Score of an empty lane that must load the app and need not unload another one. It lies between a
 * lane with this many runs of the app and a lane with one more.
 */
const EMPTY_SCORE = OWN_RUNS_BEFORE_LOADING + 0.5;
/**
 * Time for which an app waits for a slot in a lane that has it loaded, while every other lane would
 * have to unload an app.
 */
const PATIENCE_MS = 500;
/**
 * A lane in which the current code has run for longer than this computes, and will have no slot
 * soon: loading the app elsewhere is faster.
 */
const COMPUTING_MS = 100;

/** Runs in a lane: of all apps, and of one app. */
interface Load {
  all: number;
  own: number;
}

/**
 * Decides which run starts next, and in which lane. Apps take turns, and no app uses more than half
 * of the lanes. Apps that were stopped for their CPU or memory share one extra lane; each has one
 * run at a time there and computes at most half of the time.
 */
export class RunScheduler<Run extends Waiting, Place extends Lane> {
  /** Runs that wait, by app. Apps are in the order of their turns. */
  private readonly waiting = new Map<string, Run[]>();
  private readonly running = new Map<number, { run: Run; place: Place; isPenalty: boolean }>();
  private readonly lanes: Place[] = [];
  private penaltyLane: Place | null = null;
  private readonly penalties = new Map<string, { until: number; notBefore: number }>();
  /** Apps that ran last in each lane: they are probably loaded there. */
  private readonly known = new Map<Place, LRUCache<string, true>>();
  /** Time since which an app has waited for the slot of its next run. */
  private readonly waitingSince = new Map<string, number>();
  private waitingCount = 0;
  private kibibytes = 0;
  private readonly kibibytesOfApps = new Map<string, number>();
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly limits: SchedulerLimits,
    /** Creates a lane. It accepts runs at once, and begins them when it is ready. */
    private readonly open: () => Place,
    private readonly start: (run: Run, place: Place) => void,
    private readonly now: () => number = () => performance.now(),
  ) {
    // Two lanes are ready for the first run and for another one beside it.
    this.openUpTo(2);
  }

  /**
   * Adds a run, which starts when a lane (a thread that runs handlers) has a slot for it. Returns
   * false, and does not add it, if too many runs wait, or if the data of all runs, or of the runs
   * of this app, leaves no room for this one.
   */
  enqueueRun(run: Run): boolean {
    const same = this.waiting.get(run.app) ?? [];
    if (same.length >= this.limits.waitingPerApp || this.waitingCount >= this.limits.waiting || !this.fitsBudget(run))
      return false;
    this.count(run, run.kibibytes);
    if (!same.length) this.waitingSince.set(run.app, this.now());
    same.push(run);
    this.waiting.set(run.app, same);
    this.waitingCount++;
    this.schedule();
    return true;
  }

  /**
   * Ends a run, or removes it if it still waits, and starts others in its slot. `penaltyMs` is the
   * CPU limit of a run that had to be stopped: its app waits for so long before its next run, and
   * for 60 s its runs go only to the extra lane that such apps share.
   */
  endRun(id: number, penaltyMs: number | null = null): void {
    const running = this.running.get(id);
    if (running) {
      this.running.delete(id);
      this.count(running.run, -running.run.kibibytes);
      if (penaltyMs !== null) {
        const now = this.now();
        this.penalties.set(running.run.app, { until: now + PENALTY_MS, notBefore: now + penaltyMs });
      }
    } else {
      this.forget(id);
    }
    this.schedule();
  }

  /**
   * Removes a lane that has ended, so that no run starts there. Returns the runs that were in it;
   * they count as running until `endRun` is called for each.
   */
  removeLane(place: Place): Run[] {
    const at = this.lanes.indexOf(place);
    if (at >= 0) this.lanes.splice(at, 1);
    if (this.penaltyLane === place) this.penaltyLane = null;
    this.known.delete(place);
    return [...this.running.values()].filter((running) => running.place === place).map(({ run }) => run);
  }

  get size(): number {
    return this.running.size + this.waitingCount;
  }

  private schedule(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    while (this.giveTurns());
    this.openAhead();
    if (this.waitingCount) this.timer = setTimeout(() => this.schedule(), LOOK_AGAIN_MS);
  }

  /** Starts one run of each waiting app that has a lane for it. Returns true if it started any. */
  private giveTurns(): boolean {
    let anyStarted = false;
    for (const [app, runs] of [...this.waiting]) {
      const isPenalty = this.isPenalised(app);
      const place = isPenalty ? this.penaltyPlace(app) : this.placeFor(app);
      const run = place && runs.shift();
      if (!place || !run) continue;
      this.waitingCount--;
      this.remember(place, app);
      this.running.set(run.run, { run, place, isPenalty });
      // An app that had its turn moves to the end.
      this.waiting.delete(app);
      if (runs.length) {
        this.waiting.set(app, runs);
        this.waitingSince.set(app, this.now());
      } else this.waitingSince.delete(app);
      this.start(run, place);
      anyStarted = true;
    }
    return anyStarted;
  }

  /**
   * Doubles the number of lanes, up to the limit, while each lane has a run or has been blocked for
   * more than 5 ms, before the new ones are needed: on a busy machine a lane takes seconds to
   * become ready.
   */
  private openAhead(): void {
    const taken = new Set([...this.running.values()].map(({ place }) => place));
    if (this.lanes.some((lane) => !taken.has(lane) && lane.busyMs() <= STUCK_MS)) return;
    this.openUpTo(Math.max(2, 2 * this.lanes.length));
  }

  private openUpTo(count: number): void {
    while (this.lanes.length < Math.min(count, this.limits.lanes)) this.lanes.push(this.open());
  }

  private placeFor(app: string): Place | null {
    const { lanes, runsPerLane, runsPerApp } = this.limits;
    const own = new Set<Place>();
    const loads = new Map<Place, Load>(this.lanes.map((lane) => [lane, { all: 0, own: 0 }]));
    let runs = 0;
    for (const { run, place, isPenalty } of this.running.values()) {
      const load = isPenalty ? undefined : loads.get(place);
      if (!load) continue;
      load.all++;
      if (run.app !== app) continue;
      load.own++;
      own.add(place);
      runs++;
    }
    if (runs >= runsPerApp) return null;
    const mayOpen = own.size < Math.max(1, Math.floor(lanes / 2));
    let best: Place | null = null;
    let bestScore = Infinity;
    for (const [lane, load] of loads) {
      if (!mayOpen && !load.own) continue;
      if (load.all >= runsPerLane || lane.busyMs() > STUCK_MS) continue;
      const score = this.score(lane, app, load);
      if (score < bestScore) [best, bestScore] = [lane, score];
    }
    // `openAhead` opens lanes while all lanes have runs. This opens one if all empty lanes would
    // have to unload an app.
    if (bestScore > EMPTY_SCORE && mayOpen && this.lanes.length < lanes) {
      best = this.open();
      this.lanes.push(best);
    }
    return best;
  }

  /**
   * Score of a lane for an app; the lowest is the best. Infinity: the app waits. Loading an app
   * takes as long as dozens of its runs, so an app stays where it is loaded if many apps take
   * turns. The order is:
   * - an empty lane that has the app loaded;
   * - one with one or two runs of this app alone;
   * - an empty one that can load another app;
   * - one with more runs of this app alone;
   * - a shared one that has the app loaded;
   * - a shared one that can load another app;
   * - one that would have to unload an app.
   */
  private score(lane: Place, app: string, load: Load): number {
    const { runsPerLane } = this.limits;
    const isKnown = this.knows(lane, app);
    if (load.all === 0 && isKnown) return 0;
    if (load.all > 0 && load.all === load.own) return load.all;
    if (isKnown) return runsPerLane + load.all;
    if (this.canLoadAnother(lane)) return load.all === 0 ? EMPTY_SCORE : 2 * runsPerLane + load.all;
    return this.isPatient(app) ? Infinity : 3 * runsPerLane + load.all;
  }

  /**
   * True if the app waits for a slot in a lane that has it loaded: for at most 500 ms, and only if
   * the code in such a lane has not run for longer than 100 ms.
   */
  private isPatient(app: string): boolean {
    if (this.now() - (this.waitingSince.get(app) ?? 0) >= PATIENCE_MS) return false;
    return this.lanes.some((lane) => this.knows(lane, app) && lane.busyMs() <= COMPUTING_MS);
  }

  private knows(lane: Place, app: string): boolean {
    return this.known.get(lane)?.has(app) === true;
  }

  /** True if the lane can load another app without unloading one. */
  private canLoadAnother(lane: Place): boolean {
    return (this.known.get(lane)?.size ?? 0) < this.limits.appsPerLane;
  }

  private remember(lane: Place, app: string): void {
    const { appsPerLane } = this.limits;
    if (!appsPerLane) return;
    const apps = this.known.get(lane) ?? new LRUCache<string, true>({ max: appsPerLane });
    apps.set(app, true);
    this.known.set(lane, apps);
  }

  private penaltyPlace(app: string): Place | null {
    let others = 0;
    for (const { run, isPenalty } of this.running.values()) {
      if (run.app === app) return null;
      if (isPenalty) others++;
    }
    const lane = this.penaltyLane;
    if (others >= PENALTY_RUNS || (lane && lane.busyMs() > STUCK_MS)) return null;
    if (this.now() < (this.penalties.get(app)?.notBefore ?? 0)) return null;
    return (this.penaltyLane ??= this.open());
  }

  private isPenalised(app: string): boolean {
    const penalty = this.penalties.get(app);
    if (!penalty) return false;
    if (this.now() < penalty.until) return true;
    this.penalties.delete(app);
    return false;
  }

  private fitsBudget({ app, kibibytes }: Run): boolean {
    const { limits } = this;
    const most = kibibytes <= TRANSIT.smallKibibytes ? limits.kibibytes : largeItemBudget(limits.kibibytes);
    return (
      this.kibibytes + kibibytes <= most && (this.kibibytesOfApps.get(app) ?? 0) + kibibytes <= limits.kibibytesPerApp
    );
  }

  private count({ app }: Run, kibibytes: number): void {
    this.kibibytes += kibibytes;
    const ofApp = (this.kibibytesOfApps.get(app) ?? 0) + kibibytes;
    if (ofApp) this.kibibytesOfApps.set(app, ofApp);
    else this.kibibytesOfApps.delete(app);
  }

  private forget(id: number): void {
    for (const [app, runs] of this.waiting) {
      const at = runs.findIndex(({ run }) => run === id);
      const [run] = at < 0 ? [] : runs.splice(at, 1);
      if (!run) continue;
      this.count(run, -run.kibibytes);
      this.waitingCount--;
      if (!runs.length) {
        this.waiting.delete(app);
        this.waitingSince.delete(app);
      }
      return;
    }
  }
}
