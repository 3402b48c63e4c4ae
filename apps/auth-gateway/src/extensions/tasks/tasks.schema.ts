import type { GatewayFeatureSchema } from '../../kernel/gateway-feature-schema.js';
import { Tasks1764660000100 } from './migrations/1764660000100-tasks.js';
import { Task } from './task.entity.js';

export const tasksSchema: GatewayFeatureSchema = { entities: [Task], migrations: [Tasks1764660000100] };
