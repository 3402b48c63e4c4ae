import type { GatewayFeatureSchema } from '../../kernel/gateway-feature-schema.js';
import { PendingCredential } from './pending-credential.entity.js';

export const pendingSignupsSchema: GatewayFeatureSchema = { entities: [PendingCredential] };
