import type { GatewayFeatureSchema } from '../../kernel/gateway-feature-schema.js';
import { Task } from './task.entity.js';

export const tasksSchema: GatewayFeatureSchema = { entities: [Task] };
