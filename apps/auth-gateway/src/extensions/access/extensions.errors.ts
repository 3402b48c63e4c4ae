import { AppError, ValidationFailed } from '@platform/platform';

export const ExtensionErrors = {
  notFound: () => new AppError(404, 'extension.not_found', 'There is no such extension, or it is not installed.'),
  notInstalled: () => new AppError(404, 'extension.not_installed', 'The user does not have this extension.'),
  systemProtected: () => new AppError(403, 'app.system', 'This app is a part of the platform and cannot be disabled.'),
  userNotFound: () => new AppError(404, 'user.not_found', 'There is no such user.'),
  scopesOfPublic: () =>
    new ValidationFailed([
      {
        loc: ['body', 'required_scopes'],
        msg: 'The mode restricted needs at least one scope, and other modes take none',
        type: 'value_error',
      },
    ]),
};
