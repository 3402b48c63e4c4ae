import { createPlatformClient } from '@platform/client';

/** Waits longer than the panel's server does for the gateway, so that the server's answer is what the page shows. */
const TIMEOUT_MS = 35_000;

/** The gateway's routes that the panel passes on. The panel accepts JSON alone, so that no HTML form can send a request. */
export const api = createPlatformClient({ baseUrl: '/api', headers: { 'Content-Type': 'application/json' }, timeoutMs: TIMEOUT_MS });
