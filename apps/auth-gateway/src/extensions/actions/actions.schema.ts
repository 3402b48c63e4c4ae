import type { GatewaySchema } from '../../kernel/gateway-feature-schema.js';
import { Action } from './action.entity.js';

export const actionsSchema: GatewaySchema = { entities: [Action] };
