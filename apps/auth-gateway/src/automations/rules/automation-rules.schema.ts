import type { GatewayFeatureSchema } from '../../kernel/gateway-feature-schema.js';
import { AutomationFire } from './automation-fire.entity.js';
import { AutomationRule } from './automation-rule.entity.js';

export const automationRulesSchema: GatewayFeatureSchema = { entities: [AutomationFire, AutomationRule] };
