import type { GatewayFeatureSchema } from '../kernel/gateway-feature-schema.js';
import { automationRulesSchema } from './rules/automation-rules.schema.js';

/** Entities and migrations of all features in `automations/`. */
export const automationsSchema: readonly GatewayFeatureSchema[] = [automationRulesSchema];
