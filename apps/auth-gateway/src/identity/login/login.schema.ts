import type { GatewayFeatureSchema } from '../../kernel/gateway-feature-schema.js';
import { LoginThrottle } from './login-throttle.entity.js';

export const loginSchema: GatewayFeatureSchema = { entities: [LoginThrottle] };
