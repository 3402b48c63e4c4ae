import { AppError } from '@platform/platform';

export const MailLinkErrors = {
  invalidToken: () =>
    new AppError(
      400,
      'invalid_or_expired_token',
      'This link is no longer valid: it was used, has expired or was cancelled. Ask for a new one.',
    ),
};
