import { schemaOf, type Database, type FeatureSchema } from '@platform/persistence';
import { documentsSchema } from './documents/documents.schema.js';
import { eventsSchema } from './events/events.schema.js';
import { cacheSchema } from './kernel/cache/cache.schema.js';
import { deployedSchema } from './kernel/deployed/deployed.schema.js';
import { eventBusSchema } from './kernel/event-bus/event-bus.schema.js';
import { logsSchema } from './kernel/logs/logs.schema.js';
import { secretsSchema } from './kernel/secrets/secrets.schema.js';
import { storeSchema } from './kernel/store/store.schema.js';
import { runtimeFeedSchema } from './runtime-feed/runtime-feed.schema.js';
import { schedulesSchema } from './schedules/schedules.schema.js';
import { webhookInboxSchema } from './webhooks/inbox/webhook-inbox.schema.js';
import { HostBaseline1764700000000 } from './migrations/1764700000000-baseline.js';

/** Entities and migrations of the features. */
export const FEATURE_SCHEMAS: readonly FeatureSchema[] = [
  documentsSchema,
  eventsSchema,
  cacheSchema,
  deployedSchema,
  eventBusSchema,
  logsSchema,
  secretsSchema,
  storeSchema,
  runtimeFeedSchema,
  schedulesSchema,
  webhookInboxSchema,
];

/** Schema of this service, with all its entities and migrations. */
export const database = (url: string, poolSize: number): Database => {
  const { entities, migrations } = schemaOf(FEATURE_SCHEMAS);
  return {
    url,
    schema: 'ext_host',
    poolSize,
    entities: [...entities],
    migrations: [HostBaseline1764700000000, ...migrations],
  };
};
