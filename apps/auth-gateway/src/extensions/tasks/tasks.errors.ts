import { AppError, Errors } from '@platform/platform';
import { FunctionError } from '../calls/function-error.js';

const RETRY_AFTER_SECONDS = 5;

export const TaskErrors = {
  notFound: () => new AppError(404, 'task.not_found', 'There is no such task of yours; what became of one is kept for a day.'),
  tooMany: (limit: number) =>
    Errors.limited(
      'task.too_many',
      `Your role lets you have ${limit} tasks at once. Wait until one is over, or cancel one.`,
      RETRY_AFTER_SECONDS,
      {
        limit,
      },
    ),
  finished: () => new AppError(409, 'task.finished', 'The task is over already.'),
  noTask: () => new AppError(409, 'task.none', 'The run is not that of a task.'),
};

/** As the result of a task says it. */
export const TaskFailures = {
  interrupted: () =>
    new FunctionError(
      'TASK_INTERRUPTED',
      'The process that ran the task ended. What the function had done by then stays done, so it was not run again.',
      { retryable: true },
    ),
  notStarted: () => new FunctionError('TASK_NOT_STARTED', 'The task was not begun in time, so it will not be.', { retryable: true }),
  keyGone: () => new FunctionError('KEY_GONE', 'The API key that asked for the task was deleted or has expired.'),
};
