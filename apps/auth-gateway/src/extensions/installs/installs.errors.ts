import type { AppCost } from '@platform/contracts';
import { AppError } from '@platform/platform';

export const InstallErrors = {
  appNotFound: () => new AppError(404, 'app.not_found', 'There is no such app in the marketplace.'),
  /** Clients look for "not found or not active". */
  notInstallable: () => new AppError(400, 'app.not_active', 'The app was not found or not active.'),
  systemApp: () => new AppError(403, 'app.system', 'This app is a part of the platform: everybody has it.'),
  accessDenied: () => new AppError(403, 'extension.access_denied', 'The rules of your tenant do not let you use this app.'),
  tooMany: () => new AppError(409, 'install.too_many', 'You have as many apps as a user may have. Remove one first.'),
  otherVersion: (version: string | null) =>
    new AppError(
      409,
      'install.changed',
      `The app serves version ${version ?? 'none'} by now. Look at what it asks for, and install it then.`,
    ),
  otherScopes: (version: string | null, requested: readonly string[]) =>
    new AppError(
      409,
      'install.changed',
      `"scopes" is what you were shown, and all of it: version ${version ?? 'none'} asks for ${requested.join(', ') || 'nothing'}. ` +
        'Send exactly that, or no scopes.',
    ),
  /** @param price what it costs by now; null for nothing. */
  otherPrice: (price: AppCost | null) =>
    new AppError(409, 'extension.price_changed', 'The app costs something else by now. Look at what it costs, and install it then.', {
      details: { price_version: price && price.price_version, price },
    }),
};
