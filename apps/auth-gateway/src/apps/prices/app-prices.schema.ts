import type { GatewayFeatureSchema } from '../../kernel/gateway-feature-schema.js';
import { AppPrices1764600000300 } from './migrations/1764600000300-app-prices.js';

export const appPricesSchema: GatewayFeatureSchema = { migrations: [AppPrices1764600000300] };
