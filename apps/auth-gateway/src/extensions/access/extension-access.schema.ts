import type { GatewayFeatureSchema } from '../../kernel/gateway-feature-schema.js';
import { AppAccessPolicy } from './app-access-policy.entity.js';

export const extensionAccessSchema: GatewayFeatureSchema = { entities: [AppAccessPolicy] };
