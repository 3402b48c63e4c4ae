import { AppError } from '@platform/platform';

const limited = (status: number, message: string, seconds: number): AppError =>
  new AppError(status, 'stream.too_many', message, { headers: { 'Retry-After': String(seconds) } });

export const EventErrors = {
  tooManyOfSession: (most: number) =>
    limited(429, `${most} windows of this browser already follow events. Close one of them.`, 30),
  tooMany: () => limited(503, 'Too many windows follow events at the moment. Try again in 60 seconds.', 60),
};
