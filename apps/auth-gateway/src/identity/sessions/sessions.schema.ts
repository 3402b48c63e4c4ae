import type { GatewayFeatureSchema } from '../../kernel/gateway-feature-schema.js';
import { Session } from './session.entity.js';

export const sessionsSchema: GatewayFeatureSchema = { entities: [Session] };
