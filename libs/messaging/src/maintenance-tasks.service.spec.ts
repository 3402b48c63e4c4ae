import { JobsService, MaintenanceTasksService } from './index.js';
import { allDone, start, stopServices } from './testing/work.js';

afterEach(() => stopServices());

it('runs the tasks of every feature in one queue, and refuses a second one of the same name', async () => {
  const done: string[] = [];
  const task = (name: string) => () => {
    done.push(name);
    return Promise.resolve();
  };
  const service = await start(
    {},
    {
      feature: (jobs) => {
        const tasks = new MaintenanceTasksService(jobs);
        tasks.scheduleTask(3_600_000, 'first', task('first'));
        tasks.scheduleTask(3_600_000, 'second', task('second'));
        expect(() => tasks.scheduleTask(1_000, 'first', task('third'))).toThrow(
          'Two maintenance tasks have the name first.',
        );
      },
    },
  );
  for (const name of ['second', 'first']) {
    await service.query(
      `INSERT INTO outbox (id, queue, name, payload) VALUES ('job_' || $1, 'maintenance', $1, '{}')`,
      [name],
    );
  }
  await service.app.get(JobsService).requeueLostJobs();
  await allDone(service);
  expect(new Set(done)).toEqual(new Set(['first', 'second']));
});
