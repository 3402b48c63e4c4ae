import { Outbox } from '@platform/persistence';
import { until, type TestService } from '@platform/testing';
import { JobsService } from './jobs.service.js';
import { Postponed, type JobHandlers } from './queue-definition.js';
import {
  allDone,
  enqueue,
  entries,
  entry,
  metric,
  nothing,
  OFF,
  start,
  stopServices,
  waiting,
  withQueue,
  type Work,
  workQueue,
} from './testing/work.js';

afterEach(() => stopServices());

describe('jobs of many owners', () => {
  let endNoisy = (): void => undefined;
  let released = nothing();
  let begun: string[] = [];
  let done: { owner: string | undefined; key: string; attempt: number }[] = [];
  beforeEach(() => {
    released = new Promise<void>((resolve) => (endNoisy = resolve));
    [begun, done] = [[], []];
  });
  // Also after a failure, because a stopping service waits for its jobs.
  afterEach(() => endNoisy());

  /** Starts a service where jobs of owners called noisy end only at `endNoisy`. */
  const startNoisy = () =>
    start({
      do: async ({ owner, key }, { attempt }) => {
        begun.push(key);
        if (owner?.startsWith('noisy')) await released;
        done.push({ owner, key, attempt });
      },
    });
  const enqueueAll = ({ app }: TestService, payloads: { key: string; owner: string }[]) =>
    app.get(Outbox).transaction((em) => app.get(JobsService).enqueueAll(em, workQueue, 'do', payloads));
  const many = (count: number, owner: string) =>
    Array.from({ length: count }, (_, at) => ({ key: `${owner} ${at}`, owner }));
  const isDone = (owner: string | undefined) => done.some((job) => job.owner === owner);

  it('leave room for others beside an owner with many, which then all run at their first attempt', async () => {
    const service = await startNoisy();
    await enqueueAll(service, many(30, 'noisy'));
    await until(() => begun.length === 2);
    for (const owner of ['one', undefined]) {
      await enqueue(service, 'x', owner);
      await until(() => isDone(owner));
    }
    expect(begun.filter((key) => key !== 'x')).toHaveLength(2);
    endNoisy();
    await allDone(service);
    expect(done.filter(({ owner }) => owner === 'noisy').map(({ attempt }) => attempt)).toEqual(Array(30).fill(1));
  });

  it('begin although owners beyond the slots each hold one, and so do jobs of nobody', async () => {
    const service = await startNoisy();
    const beganAt = performance.now();
    const owners = Array.from({ length: 20 }, (_, at) => `noisy ${at}`);
    const firsts = owners.flatMap((owner) => many(1, owner));
    await enqueueAll(service, firsts);
    await until(() => begun.length === firsts.length);
    await enqueueAll(
      service,
      owners.flatMap((owner) => many(3, owner).slice(1)),
    );
    for (const owner of ['quiet', undefined]) {
      await enqueue(service, 'x', owner);
      await until(() => isDone(owner));
    }
    expect(begun).toEqual(expect.arrayContaining(firsts.map(({ key }) => key)));
    // On a slow machine four second jobs can have begun: after 10 s the first slots count half.
    const seconds = performance.now() - beganAt < 10_000 ? 0 : 4;
    expect(begun.length).toBeLessThanOrEqual(firsts.length + 2 + seconds);
    expect(await waiting(service)).toBeGreaterThanOrEqual(40 - seconds);
    endNoisy();
    await allDone(service);
    expect(done).toHaveLength(62);
  });

  it('begin behind a thousand of one owner and many of each of fifty, which stand in nobody’s way', async () => {
    const service = await startNoisy();
    const noisy = [...many(1_000, 'noisy'), ...Array.from({ length: 50 }, (_, at) => many(100, `noisy ${at}`)).flat()];
    await enqueueAll(service, noisy);
    await until(() => begun.length >= 51);
    await enqueueAll(service, many(5, 'quiet'));
    await until(() => done.length === 5);
    expect(begun.filter((key) => key.startsWith('quiet'))).toHaveLength(5);
    // Jobs without a slot are not added to the queue.
    expect(await waiting(service)).toBeGreaterThanOrEqual(6_000 - 51 - 4);
    await enqueue(service, 'x', 'another');
    await until(() => isDone('another'));
  });

  it('of one owner all run, and the oldest begin', async () => {
    const service = await startNoisy();
    const keys = Array.from({ length: 12 }, (_, at) => `job ${at}`);
    for (const key of keys) await enqueue(service, key, 'noisy');
    await until(() => begun.length === 2);
    expect(await waiting(service)).toBe(10);
    endNoisy();
    await allDone(service);
    expect(begun.slice(0, 2)).toEqual(keys.slice(0, 2));
    expect([...begun].sort()).toEqual([...keys].sort());
  });

  it('have the places of the processes that run workers, and no more for those that run none', async () => {
    const worker = await startNoisy();
    const others = [
      await start({}, { sharedWith: worker, env: OFF }),
      await start({}, { sharedWith: worker, env: OFF }),
    ];
    for (const other of others) await enqueueAll(other, many(20, 'noisy'));
    await until(() => begun.length === 2);
    for (const other of others) {
      await enqueue(other, 'x', 'quiet');
      await other.app.get(JobsService).requeueLostJobs();
    }
    await until(() => done.length === 2);
    expect(await waiting(worker)).toBe(38);
    endNoisy();
    await allDone(worker);
    expect(done).toHaveLength(42);
  });
});

describe('a job that failed or was postponed', () => {
  const LATER_MS = 600_000;
  const slow = { ...workQueue, backoff: () => LATER_MS };

  it.each([
    ['the time before its next attempt', () => new Error('not yet'), 1],
    ['what it was postponed for', () => new Postponed('not yet', LATER_MS), 0],
  ])('waits for %s, without a place and without the queue', async (_what, failure, attempts) => {
    const ran: string[] = [];
    const service = await start(
      {
        do: ({ key }) => {
          ran.push(key);
          return key === 'fails' ? Promise.reject(failure()) : Promise.resolve();
        },
      },
      { queue: slow },
    );
    const id = await enqueue(service, 'fails', 'owner');
    const dueIn = async () => Number((await entry(service, id))?.due_at ?? 0) - Date.now();
    await until(async () => (await dueIn()) > LATER_MS / 2);
    const row = await entry(service, id);
    expect(row).toMatchObject({ attempts, failed_at: null, dispatched_at: row?.due_at });
    expect(await metric(service, 'outbox_entries', { state: 'retrying' })).toBe(1);
    expect(await withQueue(service, (queue) => queue.getJob(id))).toBeUndefined();
    for (const key of ['a', 'b', 'c']) await enqueue(service, key, 'owner');
    await until(async () => (await entries(service)).length === 1);
    await service.query("UPDATE outbox SET dispatched_at = now() - interval '1 hour'");
    await service.app.get(JobsService).requeueLostJobs();
    expect(await dueIn()).toBeGreaterThan(LATER_MS / 2);
    expect(ran.sort()).toEqual(['a', 'b', 'c', 'fails']);
  });

  it('has its next attempt when the time has come, in whatever process, and as often as is left', async () => {
    const tried: number[] = [];
    const handlers: Partial<JobHandlers<Work>> = {
      do: (_payload, { attempt }) => {
        tried.push(attempt);
        return Promise.reject(new Error('not yet'));
      },
    };
    const queue = { ...slow, givesUp: true };
    const first = await start(handlers, { queue });
    const id = await enqueue(first, 'fails', 'owner');
    for (const attempts of [1, 2]) {
      await until(async () => {
        const row = await entry(first, id);
        return row?.attempts === attempts && row.due_at;
      });
      if (attempts === 1) await start(handlers, { sharedWith: first, queue });
      await first.query("UPDATE outbox SET due_at = now() - interval '1 second'");
    }
    await until(async () => (await entry(first, id))?.failed_at);
    expect(tried).toEqual([1, 2, 3]);
    expect(await entry(first, id)).toMatchObject({ attempts: 3 });
  });
});
