import { AppError } from '@platform/platform';

export const InstallErrors = {
  notFound: () => new AppError(404, 'install.not_found', 'The user does not have this app.'),
  tooMany: (most: number) => new AppError(409, 'install.too_many', `A user may have at most ${most} apps.`),
};
