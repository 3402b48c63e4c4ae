import { newId } from '@platform/platform';
import { bodyOfSuccess, type ContentPart } from '../../testing/content-part.js';

export const content: ContentPart = {
  async create({ gateway, admin, ordinary, appId }) {
    const review = newId('rev');
    await gateway.service.query('INSERT INTO reviews (id, app_id, user_id, rating, body) VALUES ($1, $2, $3, 5, $4)', [
      review,
      appId,
      ordinary.id,
      newId('text'),
    ]);
    await bodyOfSuccess(gateway.actingFor(admin.id).post(`/v1/marketplace/reviews/${review}/vote`, {}));
  },
};
