import type { GatewaySchema } from '../../kernel/gateway-feature-schema.js';
import { Session } from './session.entity.js';

export const sessionsSchema: GatewaySchema = { entities: [Session] };
