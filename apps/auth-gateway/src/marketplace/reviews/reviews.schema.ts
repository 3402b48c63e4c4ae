import type { GatewayFeatureSchema } from '../../kernel/gateway-feature-schema.js';
import { ReviewVote } from './review-vote.entity.js';
import { Review } from './review.entity.js';

export const reviewsSchema: GatewayFeatureSchema = { entities: [Review, ReviewVote] };
