import type { GatewayFeatureSchema } from '../../kernel/gateway-feature-schema.js';
import { AccessPolicy } from './app-access-policy.entity.js';

export const extensionAccessSchema: GatewayFeatureSchema = { entities: [AccessPolicy] };
