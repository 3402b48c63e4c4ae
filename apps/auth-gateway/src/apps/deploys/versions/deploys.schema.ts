import type { GatewaySchema } from '../../../kernel/gateway-schema.js';
import { Deploy } from './deploy.entity.js';

export const deploysSchema: GatewaySchema = { entities: [Deploy] };
