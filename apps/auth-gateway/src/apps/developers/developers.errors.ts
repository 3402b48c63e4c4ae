import type { DeveloperTier } from '@platform/contracts';
import { AppError, ValidationFailed } from '@platform/platform';

/** Clients look for `already registered`, `taken`, `reserved` and `invalid nickname` in the texts. */
export const DeveloperErrors = {
  nameRequired: () => new ValidationFailed([{ loc: ['body', 'display_name'], msg: 'Field required', type: 'missing' }]),
  alreadyRegistered: () => new AppError(400, 'developer.already_registered', 'You are already registered as a developer.'),
  nicknameTaken: () => new AppError(400, 'developer.nickname_taken', 'This nickname is taken.'),
  nicknameReserved: () => new AppError(400, 'developer.nickname_reserved', 'This nickname is reserved.'),
  nicknameInvalid: () =>
    new AppError(400, 'developer.nickname_invalid', 'This is an invalid nickname: it takes 3 to 30 characters of a-z, 0-9, _ and -.'),
  notRegistered: () =>
    new AppError(403, 'developer.not_registered', 'You are not registered as a developer. Register with POST /v1/developer/register.'),
  notFound: () => new AppError(404, 'developer.not_found', 'There is no such developer.'),
  tierInPerson: (tier: DeveloperTier) =>
    new AppError(
      403,
      'session_required',
      `The tier ${tier} costs credits: take it signed in in a browser, by POST /v1/developer/register or PUT /v1/developer/tier. An API key, an app, a function and a command line cannot.`,
    ),
  tierByAdministrator: (tier: DeveloperTier) =>
    new AppError(403, 'developer.tier_by_administrator', `The tier ${tier} is given by administrators only.`),
};
