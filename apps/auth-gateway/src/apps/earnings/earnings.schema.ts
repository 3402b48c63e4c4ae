import type { GatewayFeatureSchema } from '../../kernel/gateway-feature-schema.js';
import { sealedDestinations } from './sealed-destinations.js';

export const earningsSchema: GatewayFeatureSchema = { sealed: [sealedDestinations] };
