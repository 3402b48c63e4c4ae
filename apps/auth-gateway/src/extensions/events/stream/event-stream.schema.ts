import type { GatewayFeatureSchema } from '../../../kernel/gateway-feature-schema.js';
import { EventStreamProcess } from './event-stream-process.entity.js';

export const eventStreamSchema: GatewayFeatureSchema = { entities: [EventStreamProcess] };
