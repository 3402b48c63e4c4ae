import type { FeatureSchema } from '@platform/persistence';
import { StoredAppDocument } from './stored-app-document.entity.js';

export const documentsSchema: FeatureSchema = { entities: [StoredAppDocument] };
