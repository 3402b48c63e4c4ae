import { AppError } from '@platform/platform';

export const EventDeliveryErrors = {
  notFound: () => new AppError(404, 'event_delivery.not_found', 'The app was given no such event.'),
  toldOnce: () => new AppError(409, 'event_delivery.told_once', 'That its user has removed the app is told once, and not replayed.'),
  notFinished: () => new AppError(409, 'event_delivery.not_finished', 'The app is still at it.'),
};
