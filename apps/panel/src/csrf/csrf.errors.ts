import { AppError } from '@platform/platform';

export const CsrfErrors = {
  refused: () =>
    new AppError(403, 'csrf', 'This request did not come from a page of the panel. Open the panel and try again.'),
};
