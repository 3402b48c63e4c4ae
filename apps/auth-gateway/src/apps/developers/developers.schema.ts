import type { GatewayFeatureSchema } from '../../kernel/gateway-feature-schema.js';
import { Developer } from './developer.entity.js';
import { PaidTiers1764600000420 } from './migrations/1764600000420-paid-tiers.js';

export const developersSchema: GatewayFeatureSchema = { entities: [Developer], migrations: [PaidTiers1764600000420] };
