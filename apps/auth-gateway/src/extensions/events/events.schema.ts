import { EventUsage } from '@platform/persistence';
import type { GatewayFeatureSchema } from '../../kernel/gateway-feature-schema.js';
import { StoredPlatformEvent } from './stored-platform-event.entity.js';

export const eventsSchema: GatewayFeatureSchema = { entities: [StoredPlatformEvent, EventUsage] };
