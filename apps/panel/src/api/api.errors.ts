import { AppError } from '@platform/platform';

export const ApiErrors = {
  notFound: () => new AppError(404, 'not_found', 'There is nothing at this path.'),
};
