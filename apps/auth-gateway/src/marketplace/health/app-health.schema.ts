import type { GatewayFeatureSchema } from '../../kernel/gateway-feature-schema.js';
import { AppHealthState } from './app-health-state.entity.js';
import { AppHealthStates1764680000100 } from './migrations/1764680000100-app-health-states.js';

export const appHealthSchema: GatewayFeatureSchema = { entities: [AppHealthState], migrations: [AppHealthStates1764680000100] };
