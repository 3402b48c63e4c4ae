import type { AppCheck } from '@platform/contracts';
import { AppError } from '@platform/platform';

const MESSAGE = 'The app cannot be submitted yet.';

export const ReviewErrors = {
  /** Clients of the portal read the checks from `detail`. */
  notReady: (checks: AppCheck[]) => new AppError(409, 'app.not_ready', MESSAGE, { details: { detail: { message: MESSAGE, checks } } }),
};
