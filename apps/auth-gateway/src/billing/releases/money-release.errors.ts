import { AppError } from '@platform/platform';

export const MoneyReleaseErrors = {
  /** @param url the page of the panel on which its user does it. */
  denied: (url: string) =>
    new AppError(403, 'money.release_denied', `Money is released in a browser. Do this in the panel: ${url}`, {
      details: { panel_url: url },
    }),
};
