import { AppError, Errors } from '@platform/platform';

export const StreamErrors = {
  tooManyOfUser: (most: number) => Errors.limited('stream.too_many', `You follow events ${most} times already. Close one of them.`, 5),
  tooMany: () => Errors.limited('stream.too_many', 'As many clients follow events as may. Try again in a moment.', 5),
  twoCredentials: () => new AppError(400, 'two_credentials', 'Send one credential: in a header, or as `token`.'),
  badToken: () =>
    new AppError(401, 'invalid_service_token', 'The `token` of the address is no access token, no API key and no service token.'),
  otherUser: () => new AppError(403, 'other_user', 'You follow your own events.'),
};
