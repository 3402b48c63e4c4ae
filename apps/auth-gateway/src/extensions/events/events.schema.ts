import { EventUsage } from '@platform/persistence';
import type { GatewaySchema } from '../../kernel/gateway-feature-schema.js';
import { StoredPlatformEvent } from './platform-event.entity.js';

export const eventsSchema: GatewaySchema = { entities: [StoredPlatformEvent, EventUsage] };
