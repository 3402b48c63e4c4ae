import type { FeatureSchema } from '@platform/persistence';
import { StoredDeployedApp } from './stored-deployed-app.entity.js';

export const deployedSchema: FeatureSchema = { entities: [StoredDeployedApp] };
