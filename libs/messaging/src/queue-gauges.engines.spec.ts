import { until, type TestService } from '@platform/testing';
import { MOST_COUNTED } from './queue-gauges.js';
import { allDone, enqueue, entry, metric, OFF, start, stopServices, workQueue } from './testing/work.js';

afterEach(() => stopServices());

const jobsDue = (service: TestService) => metric(service, 'queue_jobs_due', { queue: 'work' });
const oldest = (service: TestService) => metric(service, 'queue_oldest_due_seconds', { queue: 'work' });

/** Makes every entry older. */
const older = (service: TestService, seconds: number) =>
  service.query("UPDATE outbox SET created_at = created_at - $1 * interval '1 second'", [seconds]);

describe('the gauges of a queue', () => {
  it('say what waits and for how long, also in a process that runs no jobs', async () => {
    const service = await start({}, { env: OFF });
    expect([await jobsDue(service), await oldest(service)]).toEqual([0, 0]);
    await enqueue(service, 'first');
    await older(service, 100);
    await enqueue(service, 'second');
    expect(await jobsDue(service)).toBe(2);
    expect(await oldest(service)).toBeGreaterThanOrEqual(100);
    expect(await oldest(service)).toBeLessThan(160);
    await service.query('DELETE FROM outbox');
    expect([await jobsDue(service), await oldest(service)]).toEqual([0, 0]);
  });

  it('count what is at work until it is done', async () => {
    let finish = (): void => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    let begun = false;
    const service = await start({
      do: () => {
        begun = true;
        return finished;
      },
    });
    await enqueue(service, 'long');
    await until(() => begun);
    await older(service, 100);
    expect(await jobsDue(service)).toBe(1);
    expect(await oldest(service)).toBeGreaterThanOrEqual(100);
    finish();
    await allDone(service);
    expect([await jobsDue(service), await oldest(service)]).toEqual([0, 0]);
  });

  it('leave out what waits for its next attempt, and count its age from when that was due', async () => {
    let attempts = 0;
    let finish = (): void => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const service = await start(
      { do: () => (++attempts === 1 ? Promise.reject(new Error('not yet')) : finished) },
      { queue: { ...workQueue, backoff: () => 600_000 } },
    );
    const id = await enqueue(service, 'again');
    await until(async () => (await entry(service, id))?.due_at);
    await older(service, 5_000);
    expect([await jobsDue(service), await oldest(service)]).toEqual([0, 0]);
    await service.query("UPDATE outbox SET due_at = now() - interval '100 seconds'");
    await until(() => attempts === 2);
    expect(await jobsDue(service)).toBe(1);
    expect(await oldest(service)).toBeGreaterThanOrEqual(100);
    expect(await oldest(service)).toBeLessThan(160);
    finish();
    await allDone(service);
  });

  it('count no further than they say', async () => {
    const service = await start({}, { env: OFF });
    await service.query(
      `INSERT INTO outbox (id, queue, name, payload, created_at)
       SELECT 'job_' || n, 'work', 'do', '{}', now() - interval '10 seconds' FROM generate_series(1, $1::int) AS n`,
      [MOST_COUNTED + 5],
    );
    expect(await jobsDue(service)).toBe(MOST_COUNTED);
    expect(await oldest(service)).toBeGreaterThanOrEqual(10);
  });
});
