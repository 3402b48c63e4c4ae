import { AppError } from '@platform/platform';

export const MailLinkErrors = {
  invalidToken: () =>
    new AppError(
      400,
      'invalid_or_expired_token',
      'This link is not good any more: it was used, has expired or was voided. Ask for a new one.',
    ),
};
