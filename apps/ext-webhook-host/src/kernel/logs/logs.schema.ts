import type { FeatureSchema } from '@platform/persistence';
import { AppLogEntry } from './app-log-entry.entity.js';

export const logsSchema: FeatureSchema = { entities: [AppLogEntry] };
