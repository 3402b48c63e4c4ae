import type { GatewayFeatureSchema } from '../../kernel/gateway-feature-schema.js';
import { StoredAppRuntimeChange } from './stored-app-runtime-change.entity.js';
import { CapabilityDenial } from './capability-denial.entity.js';

export const hostRoutesSchema: GatewayFeatureSchema = { entities: [CapabilityDenial, StoredAppRuntimeChange] };
