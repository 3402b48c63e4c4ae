import type { GatewaySchema } from '../../../kernel/gateway-feature-schema.js';
import { Deploy } from './deploy.entity.js';

export const deploysSchema: GatewaySchema = { entities: [Deploy] };
