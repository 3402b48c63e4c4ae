import { Injectable } from '@nestjs/common';
import { JobsService } from './jobs.service.js';
import { maintenanceQueue } from './queue-definition.js';

type Task = () => Promise<void>;

const queue = maintenanceQueue<Record<string, Record<string, never>>>();

/**
 * Runs small tasks of a service at intervals, one at a time in each process with workers. Each
 * feature adds its own.
 */
@Injectable()
export class MaintenanceTasksService {
  private readonly tasks: Record<string, Task> = {};

  constructor(private readonly jobs: JobsService) {}

  /**
   * Runs the task in a process with workers, once per interval for all processes together. With
   * `atStart` it also runs when a process with workers starts. A failure is logged; the run of a
   * start is tried up to 3 times, another one again at the next interval. Call it in the
   * constructor of a provider.
   *
   * @throws Error if a task already has this name.
   */
  scheduleTask(everyMs: number, name: string, task: Task, options?: { atStart?: boolean }): void {
    if (Object.hasOwn(this.tasks, name)) throw new Error(`Two maintenance tasks have the name ${name}.`);
    // A job looks up its handler when it runs, so tasks can be added after this.
    if (!Object.keys(this.tasks).length) this.jobs.registerHandlers(queue, this.tasks);
    this.tasks[name] = task;
    this.jobs.scheduleJob(queue, name, everyMs, options);
  }
}
