import type { GatewaySchema } from '../../kernel/gateway-feature-schema.js';
import { SigningKey } from './signing-key.entity.js';
import { sealedSigningKeys } from './sealed-signing-keys.js';

export const tokensSchema: GatewaySchema = { entities: [SigningKey], sealed: [sealedSigningKeys] };
