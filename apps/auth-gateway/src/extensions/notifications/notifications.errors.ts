import { AppError, ValidationFailed } from '@platform/platform';

export const NotificationErrors = {
  notFound: () => new AppError(404, 'notification.not_found', 'There is no such notification.'),
  userNotFound: () => new AppError(404, 'user.not_found', 'There is no such user in this tenant.'),
  oneOfTheTwo: () =>
    new ValidationFailed([{ loc: ['body'], msg: 'Give either ids or until, not both', type: 'value_error' }]),
};
