import type { ContextAi, ContextSkeleton, ContextStorage } from '@platform/extension-sdk/runtime';
import { unavailable } from '../handlers/run-errors.js';

/**
 * Makes a function that rejects with the code `<name>_UNAVAILABLE`, because the platform does not
 * have the feature yet.
 */
const refuse = (name: string, what: string) => () => Promise.reject(unavailable(name, `${what} on this platform yet.`));

export const noAi: ContextAi = { complete: refuse('AI', 'No model is configured') };

const noFiles = refuse('STORAGE', 'File storage is not available');
export const noStorage: ContextStorage = { upload: noFiles, download: noFiles, delete: noFiles, list: noFiles };

export const noSkeleton: ContextSkeleton = { get: refuse('SKELETON', 'Skeleton sections are not available') };

export const noBackgroundTasks = refuse('BACKGROUND_TASK', 'Background tasks are not available');
export const noOAuth = refuse('OAUTH', 'OAuth at other providers is not available');
