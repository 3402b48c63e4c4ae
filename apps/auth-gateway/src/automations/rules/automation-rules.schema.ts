import type { GatewayFeatureSchema } from '../../kernel/gateway-feature-schema.js';
import { AutomationFire } from './automation-fire.entity.js';
import { AutomationRule } from './automation-rule.entity.js';
import { RulesByEvent1764610000100 } from './migrations/1764610000100-rules-by-event.js';
import { RulesByOwner1764681000200 } from './migrations/1764681000200-rules-by-owner.js';

export const automationRulesSchema: GatewayFeatureSchema = {
  entities: [AutomationFire, AutomationRule],
  migrations: [RulesByEvent1764610000100, RulesByOwner1764681000200],
};
