import type { GatewayFeatureSchema } from '../../kernel/gateway-feature-schema.js';
import { CountedUse } from './counted-use.entity.js';
import { CountedUses1764600000600 } from './migrations/1764600000600-counted-uses.js';

export const runBillingSchema: GatewayFeatureSchema = { entities: [CountedUse], migrations: [CountedUses1764600000600] };
