import type { GatewayFeatureSchema } from '../gateway-feature-schema.js';
import { IdempotentRequest } from './idempotent-request.entity.js';
import { IdempotentRequests1764600000100 } from './migrations/1764600000100-idempotent-requests.js';

export const idempotencySchema: GatewayFeatureSchema = { entities: [IdempotentRequest], migrations: [IdempotentRequests1764600000100] };
