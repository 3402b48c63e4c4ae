import { AppError, Errors } from '@platform/platform';
import { FunctionError } from '../calls/function-error.js';

const RETRY_AFTER_SECONDS = 5;

export const TaskErrors = {
  notFound: () =>
    new AppError(404, 'task.not_found', 'There is no such task of yours. Finished tasks are deleted after a day.'),
  tooMany: (limit: number) =>
    Errors.limited(
      'task.too_many',
      `Your role allows ${limit} tasks at once. Wait until one has finished, or cancel one.`,
      RETRY_AFTER_SECONDS,
      {
        limit,
      },
    ),
  finished: () => new AppError(409, 'task.finished', 'The task has already finished.'),
  noTask: () => new AppError(409, 'task.none', 'The run does not belong to a task.'),
};

/** Errors in the result of a task. */
export const TaskFailures = {
  interrupted: () =>
    new FunctionError(
      'TASK_INTERRUPTED',
      'The process that ran the task stopped. The function may already have changed something, so it was not run again.',
      { retryable: true },
    ),
  notStarted: () =>
    new FunctionError('TASK_NOT_STARTED', 'The task was not started in time, and will not run.', { retryable: true }),
  keyGone: () => new FunctionError('KEY_GONE', 'The API key that requested the task was deleted or has expired.'),
};
