import type { GatewayFeatureSchema } from '../../kernel/gateway-feature-schema.js';
import { AppHealthState } from './app-health-state.entity.js';

export const appHealthSchema: GatewayFeatureSchema = { entities: [AppHealthState] };
