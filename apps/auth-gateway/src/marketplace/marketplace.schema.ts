import type { GatewayFeatureSchema } from '../kernel/gateway-feature-schema.js';
import { appHealthSchema } from './health/app-health.schema.js';
import { reviewsSchema } from './reviews/reviews.schema.js';

/** Entities and migrations of all features in `marketplace/`. */
export const marketplaceSchema: readonly GatewayFeatureSchema[] = [appHealthSchema, reviewsSchema];
