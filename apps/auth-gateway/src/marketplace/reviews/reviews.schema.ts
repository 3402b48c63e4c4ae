import type { GatewaySchema } from '../../kernel/gateway-schema.js';
import { ReviewVote } from './review-vote.entity.js';
import { Review } from './review.entity.js';

export const reviewsSchema: GatewaySchema = { entities: [Review, ReviewVote] };
