import type { GatewayFeatureSchema } from '../gateway-feature-schema.js';
import { IdempotentRequest } from './idempotent-request.entity.js';

export const idempotencySchema: GatewayFeatureSchema = { entities: [IdempotentRequest] };
