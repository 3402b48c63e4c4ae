import type { FeatureSchema } from '@platform/persistence';
import { StoredEventDelivery } from './stored-event-delivery.entity.js';
import { StoredEventSubscription } from './stored-event-subscription.entity.js';

export const eventsSchema: FeatureSchema = { entities: [StoredEventDelivery, StoredEventSubscription] };
