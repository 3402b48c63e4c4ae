import type { FeatureSchema } from '@platform/persistence';
import { CacheEntry } from './cache-entry.entity.js';

export const cacheSchema: FeatureSchema = { entities: [CacheEntry] };
