import { bodyOfSuccess, type ContentPart } from '../../testing/content-part.js';

export const content: ContentPart = {
  async create({ adminClient, ordinary, appId }) {
    await bodyOfSuccess(
      adminClient.put(`/v1/extensions/${appId}/access`, { mode: 'public', denied_users: [ordinary.id] }),
    );
  },
};
