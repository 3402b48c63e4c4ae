import type { GatewayFeatureSchema } from '../kernel/gateway-feature-schema.js';
import { appHealthSchema } from './health/app-health.schema.js';
import { listingsSchema } from './listings/listings.schema.js';
import { reviewsSchema } from './reviews/reviews.schema.js';

/** What the features of the group have in the database. */
export const marketplaceSchema: readonly GatewayFeatureSchema[] = [appHealthSchema, listingsSchema, reviewsSchema];
