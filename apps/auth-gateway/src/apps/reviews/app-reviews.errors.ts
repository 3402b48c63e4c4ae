import type { AppCheck } from '@platform/contracts';
import { AppError } from '@platform/platform';

/** Content that would be published. */
interface Reviewed {
  version: string;
  sha256: string;
}

const MESSAGE = 'The app cannot be submitted yet.';

export const AppReviewErrors = {
  /** Clients of the portal read the checks from `detail`. */
  notReady: (checks: AppCheck[]) =>
    new AppError(409, 'app.not_ready', MESSAGE, { details: { detail: { message: MESSAGE, checks } } }),
  nothingWaits: (appId: string) =>
    new AppError(404, 'app.nothing_waits', `The app ${appId} has nothing in review, or not this version.`),
  /** @param now present content; the answer contains it, so that the reviewer can look at it. */
  changed: (now: Reviewed) =>
    new AppError(
      409,
      'app.review_changed',
      `The content differs from the version or sha256 that you sent. Version ${now.version} would be published now: look at it and decide again.`,
      {
        details: { ...now },
      },
    ),
  contentMissing: (now: Reviewed) =>
    new AppError(
      409,
      'app.review_content_missing',
      'Send the version that you have looked at and its sha256, because its developer can have replaced the content.',
      { details: { ...now } },
    ),
};
