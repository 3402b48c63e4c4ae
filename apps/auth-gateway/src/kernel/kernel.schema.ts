import type { GatewayFeatureSchema } from './gateway-feature-schema.js';
import { idempotencySchema } from './idempotency/idempotency.schema.js';

/** Database schemas of the features in the kernel. */
export const kernelSchema: readonly GatewayFeatureSchema[] = [idempotencySchema];
