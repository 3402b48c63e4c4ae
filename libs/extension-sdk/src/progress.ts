import { ExtensionError } from './extension-error.js';

/** Characters; longer messages are cut. */
export const MAX_PROGRESS_MESSAGE = 500;

/**
 * Checks the arguments of `ctx.progress`.
 *
 * @throws ExtensionError PROGRESS_INVALID unless `percent` is a number from 0 to 100 and `message`
 * a text or missing.
 */
export function assertProgress(percent: number, message?: string): void {
  const isPercent = typeof percent === 'number' && percent >= 0 && percent <= 100;
  if (isPercent && (message === undefined || typeof message === 'string')) return;
  throw new ExtensionError('PROGRESS_INVALID', 'Progress must be a number from 0 to 100, with an optional text.');
}
