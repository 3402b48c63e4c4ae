import type { AppCost } from '@platform/contracts';
import { AppError } from '@platform/platform';

export const InstallErrors = {
  appNotFound: () => new AppError(404, 'app.not_found', 'There is no such app in the marketplace.'),
  /** Clients search the text for "not found or not active". */
  notInstallable: () => new AppError(400, 'app.not_active', 'The app was not found or not active.'),
  systemApp: () => new AppError(403, 'app.system', 'This app is a part of the platform, so all users have it.'),
  accessDenied: () =>
    new AppError(403, 'extension.access_denied', 'The rules of your tenant do not allow you to use this app.'),
  tooMany: () =>
    new AppError(409, 'install.too_many', 'You have reached the limit of installed apps. Remove one first.'),
  otherVersion: (version: string | null) =>
    new AppError(
      409,
      'install.changed',
      `The app now serves version ${version ?? 'none'}. Read which scopes it asks for, then install it again.`,
    ),
  otherScopes: (version: string | null, requested: readonly string[]) =>
    new AppError(
      409,
      'install.changed',
      `"scopes" must be the scopes that you were shown: version ${version ?? 'none'} asks for ${requested.join(', ') || 'nothing'}. ` +
        'Send exactly these, or leave "scopes" out.',
    ),
  /** @param price the current price; null for a free app. */
  otherPrice: (price: AppCost | null) =>
    new AppError(
      409,
      'extension.price_changed',
      'The price of the app has changed. Read the new price, then install it again.',
      {
        details: { price_version: price && price.price_version, price },
      },
    ),
};
