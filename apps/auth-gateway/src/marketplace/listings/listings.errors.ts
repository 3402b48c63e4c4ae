import { AppError } from '@platform/platform';

export const ListingErrors = {
  appNotFound: () => new AppError(404, 'app.not_found', 'There is no such app in the marketplace.'),
  developerNotFound: () => new AppError(404, 'developer.not_found', 'There is no such developer.'),
};
