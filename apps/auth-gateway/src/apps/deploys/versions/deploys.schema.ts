import type { GatewayFeatureSchema } from '../../../kernel/gateway-feature-schema.js';
import { Deploy } from './deploy.entity.js';

export const deploysSchema: GatewayFeatureSchema = { entities: [Deploy] };
