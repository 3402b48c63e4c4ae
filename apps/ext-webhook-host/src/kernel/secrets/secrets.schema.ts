import type { FeatureSchema } from '@platform/persistence';
import { Secret } from './secret.entity.js';

export const secretsSchema: FeatureSchema = { entities: [Secret] };
