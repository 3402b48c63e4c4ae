import type { GatewayFeatureSchema } from '../../kernel/gateway-feature-schema.js';
import { CountedUse } from './counted-use.entity.js';

export const runBillingSchema: GatewayFeatureSchema = { entities: [CountedUse] };
