import { EventUsage, type FeatureSchema } from '@platform/persistence';
import { StoredEvent } from './stored-event.entity.js';

export const eventBusSchema: FeatureSchema = { entities: [StoredEvent, EventUsage] };
