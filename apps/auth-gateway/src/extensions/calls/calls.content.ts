import type { ContentPart } from '../../testing/content-part.js';

export const content: ContentPart = {
  bodies: {
    'POST /v1/extensions/{app_id}/call': ({ userId }) => ({ user_id: userId, function: 'x' }),
    'POST /v1/extensions/{app_id}/batch': ({ userId }) => ({ user_id: userId, calls: [{ function: 'x' }] }),
  },
};
