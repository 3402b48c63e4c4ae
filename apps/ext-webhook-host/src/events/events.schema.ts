import type { FeatureSchema } from '@platform/persistence';
import { StoredEventDelivery } from './event-delivery.entity.js';
import { StoredEventSubscription } from './event-subscription.entity.js';

export const eventsSchema: FeatureSchema = { entities: [StoredEventDelivery, StoredEventSubscription] };
