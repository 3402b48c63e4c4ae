import type { GatewayFeatureSchema } from '../kernel/gateway-feature-schema.js';
import { automationRulesSchema } from './rules/automation-rules.schema.js';

/** What the features of the group have in the database. */
export const automationsSchema: readonly GatewayFeatureSchema[] = [automationRulesSchema];
