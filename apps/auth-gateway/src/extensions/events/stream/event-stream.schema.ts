import type { GatewayFeatureSchema } from '../../../kernel/gateway-feature-schema.js';
import { EventStreamProcess } from './event-stream-process.entity.js';
import { EventStreamProcesses1764650000720 } from './migrations/1764650000720-event-stream-processes.js';

export const eventStreamSchema: GatewayFeatureSchema = { entities: [EventStreamProcess], migrations: [EventStreamProcesses1764650000720] };
