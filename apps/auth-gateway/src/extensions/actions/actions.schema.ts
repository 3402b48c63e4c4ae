import type { GatewayFeatureSchema } from '../../kernel/gateway-feature-schema.js';
import { Action } from './action.entity.js';

export const actionsSchema: GatewayFeatureSchema = { entities: [Action] };
