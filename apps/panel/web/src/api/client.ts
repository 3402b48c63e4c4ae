import { createPlatformClient } from '@platform/client';

/**
 * Longer than the server of the panel waits for the gateway, so that the page shows the server's
 * answer.
 */
const TIMEOUT_MS = 35_000;

/**
 * Client of the gateway routes that the panel passes on. The panel accepts only JSON, so that no
 * HTML form can send a request.
 */
export const api = createPlatformClient({
  baseUrl: '/api',
  headers: { 'Content-Type': 'application/json' },
  timeoutMs: TIMEOUT_MS,
});
