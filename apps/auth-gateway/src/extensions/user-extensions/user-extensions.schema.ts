import type { GatewayFeatureSchema } from '../../kernel/gateway-feature-schema.js';
import { DisabledExtension } from './disabled-extension.entity.js';

export const userExtensionsSchema: GatewayFeatureSchema = { entities: [DisabledExtension] };
