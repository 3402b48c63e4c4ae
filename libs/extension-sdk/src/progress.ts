import { ExtensionError } from './extension-error.js';

/** In characters; more is cut off. */
export const MAX_PROGRESS_MESSAGE = 500;

/** @throws ExtensionError PROGRESS_INVALID. */
export function assertProgress(percent: number, message?: string): void {
  const isPercent = typeof percent === 'number' && percent >= 0 && percent <= 100;
  if (isPercent && (message === undefined || typeof message === 'string')) return;
  throw new ExtensionError('PROGRESS_INVALID', 'Progress is a number from 0 to 100, and a text or nothing.');
}
