import type { FeatureSchema } from '@platform/persistence';
import { KnownDeployedApp } from './deployed-app.entity.js';

export const deployedSchema: FeatureSchema = { entities: [KnownDeployedApp] };
