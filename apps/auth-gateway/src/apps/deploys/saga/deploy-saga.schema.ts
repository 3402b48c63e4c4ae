import type { GatewayFeatureSchema } from '../../../kernel/gateway-feature-schema.js';
import { AppMismatch } from './app-mismatch.entity.js';

export const deploySagaSchema: GatewayFeatureSchema = { entities: [AppMismatch] };
