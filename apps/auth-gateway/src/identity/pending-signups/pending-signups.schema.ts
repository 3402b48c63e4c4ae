import type { GatewaySchema } from '../../kernel/gateway-feature-schema.js';
import { PendingCredential } from './pending-credential.entity.js';

export const pendingSignupsSchema: GatewaySchema = { entities: [PendingCredential] };
