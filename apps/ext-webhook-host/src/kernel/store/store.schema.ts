import type { FeatureSchema } from '@platform/persistence';
import { DocumentUsage } from './document-usage.entity.js';
import { Document } from './document.entity.js';
import { ProcessedEvent } from './processed-event.entity.js';

export const storeSchema: FeatureSchema = { entities: [DocumentUsage, Document, ProcessedEvent] };
