import type { GatewaySchema } from '../../../kernel/gateway-schema.js';
import { AppMismatch } from './app-mismatch.entity.js';

export const deploySagaSchema: GatewaySchema = { entities: [AppMismatch] };
