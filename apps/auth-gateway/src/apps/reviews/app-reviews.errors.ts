import type { AppCheck } from '@platform/contracts';
import { AppError } from '@platform/platform';

/** What would be published. */
interface Reviewed {
  version: string;
  sha256: string;
}

const MESSAGE = 'The app cannot be submitted yet.';

export const AppReviewErrors = {
  /** Clients of the portal read the checks from `detail`. */
  notReady: (checks: AppCheck[]) => new AppError(409, 'app.not_ready', MESSAGE, { details: { detail: { message: MESSAGE, checks } } }),
  nothingWaits: (appId: string) => new AppError(404, 'app.nothing_waits', `Nothing of ${appId} waits for a review, or not this version.`),
  /** What is there now stands beside it, for who looks at that. */
  changed: (now: Reviewed) =>
    new AppError(
      409,
      'app.review_changed',
      `What you name is not what would be published by now: that is version ${now.version}. Look at it, and decide about that.`,
      {
        details: { ...now },
      },
    ),
  contentMissing: (now: Reviewed) =>
    new AppError(
      409,
      'app.review_content_missing',
      'Name the version that you have looked at, and its sha256: the developer can have put another content into its place.',
      { details: { ...now } },
    ),
};
