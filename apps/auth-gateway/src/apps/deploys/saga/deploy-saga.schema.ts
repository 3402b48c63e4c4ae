import type { GatewaySchema } from '../../../kernel/gateway-feature-schema.js';
import { AppMismatch } from './app-mismatch.entity.js';

export const deploySagaSchema: GatewaySchema = { entities: [AppMismatch] };
