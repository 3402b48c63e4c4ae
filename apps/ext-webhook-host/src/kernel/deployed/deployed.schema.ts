import type { FeatureSchema } from '@platform/persistence';
import { KnownDeployedApp } from './stored-deployed-app.entity.js';

export const deployedSchema: FeatureSchema = { entities: [KnownDeployedApp] };
