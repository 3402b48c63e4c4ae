import type { GatewaySchema } from '../../kernel/gateway-feature-schema.js';
import { LoginThrottle } from './login-throttle.entity.js';

export const loginSchema: GatewaySchema = { entities: [LoginThrottle] };
