import { AppError, Errors } from '@platform/platform';

export const StreamErrors = {
  tooManyOfUser: (most: number) =>
    Errors.limited('stream.too_many', `You already have ${most} open event streams. Close one of them.`, 5),
  tooMany: () =>
    Errors.limited('stream.too_many', 'The limit of open event streams is reached. Try again in a moment.', 5),
  twoCredentials: () => new AppError(400, 'two_credentials', 'Send one credential: in a header, or as `token`.'),
  badToken: () =>
    new AppError(
      401,
      'invalid_service_token',
      'The `token` in the URL is not an access token, API key or service token.',
    ),
  otherUser: () => new AppError(403, 'other_user', 'You can only follow your own events. Leave user_id out.'),
};
