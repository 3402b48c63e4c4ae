import type { ContextAi, ContextSkeleton, ContextStorage } from '@platform/extension-sdk/runtime';
import { unavailable } from '../handlers/run-errors.js';

/**
 * Rejects with the code `<name>_UNAVAILABLE`, because the platform does not have the feature yet.
 */
const refuse = (name: string, what: string) => () => Promise.reject(unavailable(name, `${what} on this platform yet.`));

export const noAi: ContextAi = { complete: refuse('AI', 'No model is configured') };

const noFiles = refuse('STORAGE', 'Files are not kept');
export const noStorage: ContextStorage = { upload: noFiles, download: noFiles, delete: noFiles, list: noFiles };

export const noSkeleton: ContextSkeleton = { get: refuse('SKELETON', 'Sections of the skeleton are not made') };

export const noBackgroundTasks = refuse('BACKGROUND_TASK', 'There are no background tasks');
export const noOAuth = refuse('OAUTH', 'There is no authorization at other providers');
