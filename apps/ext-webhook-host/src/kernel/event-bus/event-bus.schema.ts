import { EventUsage, type FeatureSchema } from '@platform/persistence';
import { StoredEvent } from './event.entity.js';

export const eventBusSchema: FeatureSchema = { entities: [StoredEvent, EventUsage] };
