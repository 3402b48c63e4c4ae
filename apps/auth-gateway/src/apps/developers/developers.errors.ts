import type { DeveloperTier } from '@platform/contracts';
import { AppError, ValidationFailed } from '@platform/platform';

/**
 * Clients search the messages for `already registered`, `taken`, `reserved` and `invalid nickname`.
 */
export const DeveloperErrors = {
  nameRequired: () => new ValidationFailed([{ loc: ['body', 'display_name'], msg: 'Field required', type: 'missing' }]),
  alreadyRegistered: () =>
    new AppError(400, 'developer.already_registered', 'You are already registered as a developer.'),
  nicknameTaken: () => new AppError(400, 'developer.nickname_taken', 'This nickname is taken.'),
  nicknameReserved: () => new AppError(400, 'developer.nickname_reserved', 'This nickname is reserved.'),
  nicknameInvalid: () =>
    new AppError(
      400,
      'developer.nickname_invalid',
      'This is an invalid nickname. Use 3 to 30 characters of a-z, 0-9, _ and -.',
    ),
  notRegistered: () =>
    new AppError(
      403,
      'developer.not_registered',
      'You are not registered as a developer. Register with POST /v1/developer/register.',
    ),
  notFound: () => new AppError(404, 'developer.not_found', 'There is no such developer.'),
  tierInPerson: (tier: DeveloperTier) =>
    new AppError(
      403,
      'session_required',
      `The tier ${tier} costs credits, so only you can take it: sign in in a browser and use POST /v1/developer/register or PUT /v1/developer/tier. API keys, apps, functions and command lines cannot.`,
    ),
  tierByAdministrator: (tier: DeveloperTier) =>
    new AppError(403, 'developer.tier_by_administrator', `Only administrators can give the tier ${tier}.`),
};
