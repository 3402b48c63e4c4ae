import type { ContentPart } from '../testing/content-part.js';
import { TENANT_KINDS } from '../testing/tenant-kinds.js';

export const content: ContentPart = {
  bodies: {
    'POST /v1/developer/apps': () => ({ app_id: TENANT_KINDS.app.unknown(), name: 'An app' }),
    // invalid on purpose, because a user can register only once
    'POST /v1/developer/register': () => ({ nickname: 'x' }),
    'POST /v1/developer/apps/{app_id}/deploys': () => ({ version: '0.0.0' }),
  },
};
