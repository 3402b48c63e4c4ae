import { truncateText } from '@platform/contracts';
import { AppError } from '@platform/platform';
import type { Logger } from 'pino';
import { ExtensionError } from '@platform/extension-sdk/runtime';

const MAX_LENGTH = 500;

/**
 * Reason of a failed run, for the developer of the app, in at most 500 characters. A fault of the
 * platform is logged with `run`, and its text gives no details.
 */
export function failureText(error: unknown, logger: Logger, run: Record<string, unknown>): string {
  if (error instanceof ExtensionError) return truncateText(`${error.code}: ${error.message}`, MAX_LENGTH);
  if (error instanceof AppError) return truncateText(error.message, MAX_LENGTH);
  logger.error({ err: error, ...run }, 'a run in the background failed by a fault of the platform');
  return 'Something went wrong on the platform.';
}
