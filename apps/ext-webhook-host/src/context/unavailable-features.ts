import type { ContextAi, ContextSkeleton, ContextStorage } from '@platform/extension-sdk/runtime';
import { unavailableError } from '../handlers/run-errors.js';

/**
 * Makes a function that rejects with the code `<name>_UNAVAILABLE`, because the platform does not
 * have the feature yet.
 */
const refuse = (name: string, what: string) => () =>
  Promise.reject(unavailableError(name, `${what} on this platform yet.`));

export const unavailableAi: ContextAi = { complete: refuse('AI', 'No model is configured') };

const noFiles = refuse('STORAGE', 'File storage is not available');
export const unavailableStorage: ContextStorage = {
  upload: noFiles,
  download: noFiles,
  delete: noFiles,
  list: noFiles,
};

export const unavailableSkeleton: ContextSkeleton = { get: refuse('SKELETON', 'Skeleton sections are not available') };

export const unavailableBackgroundTasks = refuse('BACKGROUND_TASK', 'Background tasks are not available');
export const unavailableOAuth = refuse('OAUTH', 'OAuth at other providers is not available');
