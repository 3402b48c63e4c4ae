import { AppError } from '@platform/platform';

export const ApiKeyErrors = {
  notFound: () => new AppError(404, 'api_key.not_found', 'There is no such API key.'),
  tooMany: (most: number) =>
    new AppError(
      409,
      'api_key.too_many',
      `You have ${most} API keys, which is the maximum. Delete one that you no longer use.`,
    ),
};
