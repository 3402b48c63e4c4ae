import type { GatewayFeatureSchema } from './gateway-feature-schema.js';
import { idempotencySchema } from './idempotency/idempotency.schema.js';

/** What the features of the group have in the database. */
export const kernelSchema: readonly GatewayFeatureSchema[] = [idempotencySchema];
