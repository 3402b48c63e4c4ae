import type { ContentPart } from '../testing/content-part.js';
import { TENANT_KINDS } from '../testing/tenant-kinds.js';

export const content: ContentPart = {
  bodies: {
    'POST /v1/developer/apps': () => ({ app_id: TENANT_KINDS.app.unknown(), name: 'An app' }),
    'POST /v1/developer/register': () => ({ nickname: 'x' }), // works once, so nobody does
    'POST /v1/developer/apps/{app_id}/deploys': () => ({ version: '0.0.0' }),
  },
};
