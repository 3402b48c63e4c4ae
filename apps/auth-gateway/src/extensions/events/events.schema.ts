import { EventUsage } from '@platform/persistence';
import type { GatewayFeatureSchema } from '../../kernel/gateway-feature-schema.js';
import { PositionsOfEvents1764650000700 } from './migrations/1764650000700-positions-of-events.js';
import { PositionsOfEventsIndexes1764650000710 } from './migrations/1764650000710-positions-of-events-indexes.js';
import { StoredPlatformEvent } from './platform-event.entity.js';

export const eventsSchema: GatewayFeatureSchema = {
  entities: [StoredPlatformEvent, EventUsage],
  migrations: [PositionsOfEvents1764650000700, PositionsOfEventsIndexes1764650000710],
};
