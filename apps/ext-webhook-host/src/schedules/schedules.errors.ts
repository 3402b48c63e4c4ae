import { AppError } from '@platform/platform';

export const ScheduleErrors = {
  notFound: () =>
    new AppError(404, 'schedule.not_found', 'The running version of the app has no schedule with this name.'),
  suspended: () => new AppError(409, 'schedule.app_suspended', 'The app is suspended; its schedules do not run.'),
  unfinished: () =>
    new AppError(
      409,
      'schedule.unfinished',
      'An earlier manual run of this schedule is not finished. Try again later.',
    ),
};
