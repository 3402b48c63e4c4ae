import { AppError } from '@platform/platform';

export const EventDeliveryErrors = {
  notFound: () => new AppError(404, 'event_delivery.not_found', 'There is no delivery of this event to this app.'),
  toldOnce: () =>
    new AppError(
      409,
      'event_delivery.told_once',
      'The removal of an app by its user is delivered once and cannot be replayed.',
    ),
  notFinished: () =>
    new AppError(409, 'event_delivery.not_finished', 'The delivery is not finished yet. Replay it later.'),
};
