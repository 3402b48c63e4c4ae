import type { GatewayFeatureSchema } from '../../kernel/gateway-feature-schema.js';
import { Action } from './action.entity.js';
import { ActionsByTime1764681000010 } from './migrations/1764681000010-actions-by-time.js';

export const actionsSchema: GatewayFeatureSchema = { entities: [Action], migrations: [ActionsByTime1764681000010] };
