import { createPlatformClient } from '@platform/client';

/** The gateway's routes, as far as the panel passes them on. The panel takes nothing that is not said to be JSON, so that no form can. */
export const api = createPlatformClient({ baseUrl: '/api', headers: { 'Content-Type': 'application/json' } });
