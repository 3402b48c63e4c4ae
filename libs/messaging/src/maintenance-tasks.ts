import { Inject, Injectable } from '@nestjs/common';
import { Jobs } from './jobs.js';
import { maintenanceQueue } from './queue-definition.js';

type Task = () => Promise<void>;

const queue = maintenanceQueue<Record<string, Record<string, never>>>();

/** What a service does by itself at intervals, one task at a time: each feature adds its own. */
@Injectable()
export class MaintenanceTasks {
  private readonly tasks: Record<string, Task> = {};

  constructor(@Inject(Jobs) private readonly jobs: Jobs) {}

  /**
   * Runs the task in a process with workers, once per interval however many processes there are; with `atStart` also when such a process
   * starts. What fails there is told in the log, and comes again with the next interval. Call it while the feature is made.
   */
  every(everyMs: number, name: string, task: Task, options?: { atStart?: boolean }): void {
    if (Object.hasOwn(this.tasks, name)) throw new Error(`There are two maintenance tasks ${name}.`);
    if (!Object.keys(this.tasks).length) this.jobs.process(queue, this.tasks);
    this.tasks[name] = task;
    this.jobs.schedule(queue, name, everyMs, options);
  }
}
