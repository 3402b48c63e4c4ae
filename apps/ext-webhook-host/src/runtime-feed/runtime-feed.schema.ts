import type { FeatureSchema } from '@platform/persistence';
import { StoredRuntimeFeed } from './stored-runtime-feed.entity.js';

export const runtimeFeedSchema: FeatureSchema = { entities: [StoredRuntimeFeed] };
