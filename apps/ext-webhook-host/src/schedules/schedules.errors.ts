import { AppError } from '@platform/platform';

export const ScheduleErrors = {
  notFound: () => new AppError(404, 'schedule.not_found', 'The version of the app that runs has no such schedule.'),
  suspended: () => new AppError(409, 'schedule.app_suspended', 'The app is suspended; its schedules do not run.'),
  unfinished: () => new AppError(409, 'schedule.unfinished', 'A run that was asked for before is not finished.'),
};
