import { AppError } from '@platform/platform';

export const AppDocumentErrors = {
  appNotFound: () => new AppError(404, 'app.not_found', 'There is no such app, or none of its versions runs.'),
  versionNotFound: () => new AppError(404, 'app_version.not_found', 'The app has no such version.'),
};
