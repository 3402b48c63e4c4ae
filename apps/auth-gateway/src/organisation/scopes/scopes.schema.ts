import type { GatewaySchema } from '../../kernel/gateway-feature-schema.js';
import { Scope } from './scope.entity.js';

export const scopesSchema: GatewaySchema = { entities: [Scope] };
