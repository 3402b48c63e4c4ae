import { RunScheduler, type Lane, type Waiting } from './run-scheduler.js';

class TestLane implements Lane {
  busy = 0;
  busyMs = (): number => this.busy;
}

class Bench {
  readonly lanes: TestLane[] = [];
  /** Runs in order of their start, with app and lane. */
  readonly started: { run: number; app: string; lane: number }[] = [];
  readonly turns: string[] = [];
  now = 0;
  readonly scheduler: RunScheduler<Waiting, TestLane>;
  private lastRun = 0;

  constructor(limits: Partial<ConstructorParameters<typeof RunScheduler>[0]> = {}) {
    this.scheduler = new RunScheduler<Waiting, TestLane>(
      {
        lanes: 4,
        runsPerLane: 2,
        runsPerApp: 16,
        appsPerLane: 100,
        waitingPerApp: 3,
        waiting: 5,
        kibibytes: 400,
        kibibytesPerApp: 200,
        ...limits,
      },
      () => {
        const lane = new TestLane();
        this.lanes.push(lane);
        return lane;
      },
      ({ run, app }, lane) => {
        this.turns.push(app);
        this.started.push({ run, app, lane: this.lanes.indexOf(lane) });
      },
      () => this.now,
    );
  }

  add(...apps: string[]): boolean[] {
    return apps.map((app) => this.addLarge(app, 1));
  }

  addLarge(app: string, kibibytes: number): boolean {
    return this.scheduler.enqueueRun({ run: ++this.lastRun, app, kibibytes });
  }

  over(app: string, penaltyMs: number | null = null): void {
    const at = this.started.findIndex((started) => started.app === app);
    this.scheduler.endRun(this.started.splice(at, 1)[0]?.run ?? 0, penaltyMs);
  }

  apps(): string[] {
    return this.started.map(({ app, lane }) => `${app}${lane}`);
  }
}

beforeEach(() => jest.useFakeTimers({ doNotFake: ['performance'] }));
afterEach(() => jest.useRealTimers());

describe('the scheduler', () => {
  it('gives each app lanes of its own as long as there are any', () => {
    const bench = new Bench();
    bench.add('a', 'b', 'c', 'd', 'e');
    expect(bench.apps()).toEqual(['a0', 'b1', 'c2', 'd3', 'e0']);
  });

  it('opens as many lanes again as soon as every one has runs', () => {
    const bench = new Bench({ lanes: 6 });
    const opened = () => bench.lanes.length;
    expect(opened()).toBe(2);
    bench.add('a');
    expect(opened()).toBe(2);
    bench.add('b');
    expect(opened()).toBe(4);
    bench.add('c');
    expect(opened()).toBe(4);
    bench.add('d');
    expect(opened()).toBe(6);
  });

  it('has no app on more than half of the lanes', () => {
    const bench = new Bench();
    bench.add('a', 'a', 'a', 'a', 'a', 'b', 'b');
    expect(bench.apps()).toEqual(['a0', 'a0', 'a1', 'a1', 'b2', 'b2']);
    bench.over('a');
    expect(bench.apps()).toEqual(['a0', 'a1', 'a1', 'b2', 'b2', 'a0']);
  });

  it('has an app wait behind two of its own runs before it is loaded once more', () => {
    const bench = new Bench({ runsPerLane: 16 });
    bench.add('a', 'a', 'a', 'a', 'a');
    expect(bench.apps()).toEqual(['a0', 'a0', 'a0', 'a1', 'a1']);
  });

  it('has apps stay where they are loaded, when every lane has runs', () => {
    const bench = new Bench({ lanes: 2, runsPerLane: 16 });
    bench.add('a', 'b', 'c', 'd');
    expect(bench.apps()).toEqual(['a0', 'b1', 'c0', 'd1']);
    bench.over('c');
    bench.over('a');
    bench.add('x', 'c');
    expect(bench.apps()).toEqual(['b1', 'd1', 'x0', 'c0']);
    bench.over('d');
    bench.add('y', 'd');
    expect(bench.apps()).toEqual(['b1', 'x0', 'c0', 'y1', 'd1']);
  });

  it('has an app wait for a lane that knows it where the others would have to forget an app, but not for long', () => {
    const bench = new Bench({ appsPerLane: 1 });
    bench.add('a', 'b', 'c', 'd', 'a', 'a');
    expect(bench.apps()).toEqual(['a0', 'b1', 'c2', 'd3', 'a0']);
    bench.now = 499;
    jest.advanceTimersByTime(5);
    expect(bench.apps()).toHaveLength(5);
    bench.now = 500;
    jest.advanceTimersByTime(5);
    expect(bench.apps()).toEqual(['a0', 'b1', 'c2', 'd3', 'a0', 'a1']);
  });

  it('lets apps take turns, however many runs one of them has', () => {
    const bench = new Bench({ lanes: 2, runsPerLane: 1 });
    bench.add('a', 'b', 'a', 'a', 'a', 'b');
    for (const app of ['a', 'b', 'a', 'b']) bench.over(app);
    expect(bench.turns).toEqual(['a', 'b', 'a', 'b', 'a']);
  });

  it('gives nothing to a lane that is at one thing for long, and looks again', () => {
    const bench = new Bench({ lanes: 2, runsPerLane: 4 });
    bench.add('a', 'b');
    for (const lane of bench.lanes) lane.busy = 100;
    bench.add('c');
    expect(bench.apps()).toEqual(['a0', 'b1']);
    (bench.lanes[1] as TestLane).busy = 1;
    jest.advanceTimersByTime(5);
    expect(bench.apps()).toEqual(['a0', 'b1', 'c1']);
  });

  it('has an app that was stopped wait behind others, one run at a time, for as long as it had computed', () => {
    const bench = new Bench();
    bench.add('bad', 'good');
    bench.over('bad', 2_000);
    bench.add('bad', 'bad', 'good');
    expect(bench.apps()).toEqual(['good1', 'good1']);
    bench.now = 1_999;
    jest.advanceTimersByTime(5);
    expect(bench.apps()).toHaveLength(2);
    bench.now = 2_000;
    jest.advanceTimersByTime(5);
    expect(bench.apps()).toEqual(['good1', 'good1', 'bad4']);
    bench.over('bad');
    expect(bench.apps()).toEqual(['good1', 'good1', 'bad4']);
    bench.over('bad');
    bench.now = 62_001;
    bench.add('bad', 'bad');
    expect(bench.apps()).toEqual(['good1', 'good1', 'bad0', 'bad0']);
  });

  it('refuses more than may wait, and forgets what is given up', () => {
    const bench = new Bench({ lanes: 1, runsPerLane: 1 });
    expect(bench.add('a', 'a', 'a', 'a', 'a')).toEqual([true, true, true, true, false]);
    bench.scheduler.endRun(2);
    expect(bench.add('a', 'b', 'b', 'b')).toEqual([true, true, true, false]);
    expect(bench.scheduler.size).toBe(6);
  });

  it('refuses what brings more along than all together or its app may, until that is over', () => {
    const bench = new Bench({ lanes: 1, runsPerLane: 2, waiting: 100 });
    expect([bench.addLarge('a', 150), bench.addLarge('a', 51), bench.addLarge('a', 50)]).toEqual([true, false, true]);
    expect([bench.addLarge('b', 100), bench.addLarge('c', 17), bench.addLarge('c', 16)]).toEqual([true, false, true]);
    bench.over('a');
    expect([bench.addLarge('c', 134), bench.addLarge('a', 150)]).toEqual([true, false]);
    // The run was canceled while it waited.
    bench.scheduler.endRun(7);
    expect(bench.addLarge('d', 134)).toBe(true);
  });

  it('opens others when one is gone and the rest have runs', () => {
    const bench = new Bench({ lanes: 3 });
    bench.add('a');
    bench.scheduler.removeLane(bench.lanes[1] as TestLane);
    bench.add('a');
    expect(bench.lanes).toHaveLength(3);
  });

  it('tells what ran in a lane that is gone, and opens another', () => {
    const bench = new Bench({ lanes: 1 });
    bench.add('a', 'a', 'a');
    expect(bench.scheduler.removeLane(bench.lanes[0] as TestLane).map(({ run }) => run)).toEqual([1, 2]);
    for (const run of [1, 2]) bench.scheduler.endRun(run);
    expect(bench.apps()).toEqual(['a0', 'a0', 'a1']);
  });
});
