import { Injectable } from '@nestjs/common';
import { Jobs } from './jobs.js';
import { maintenanceQueue } from './queue-definition.js';

type Task = () => Promise<void>;

const queue = maintenanceQueue<Record<string, Record<string, never>>>();

/** Runs small tasks of a service at intervals, one at a time. Each feature adds its own. */
@Injectable()
export class MaintenanceTasks {
  private readonly tasks: Record<string, Task> = {};

  constructor(private readonly jobs: Jobs) {}

  /**
   * Runs the task in a process with workers, once per interval however many processes there are; with `atStart` also when such a process
   * starts. A failure is logged, and the task runs again with the next interval. Call it in the constructor of a provider.
   */
  every(everyMs: number, name: string, task: Task, options?: { atStart?: boolean }): void {
    if (Object.hasOwn(this.tasks, name)) throw new Error(`There are two maintenance tasks ${name}.`);
    // The handler of a job is looked up when the job comes, so the tasks may be added after this.
    if (!Object.keys(this.tasks).length) this.jobs.process(queue, this.tasks);
    this.tasks[name] = task;
    this.jobs.schedule(queue, name, everyMs, options);
  }
}
