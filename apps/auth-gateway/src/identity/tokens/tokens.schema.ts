import type { GatewayFeatureSchema } from '../../kernel/gateway-feature-schema.js';
import { SigningKey } from './signing-key.entity.js';
import { sealedSigningKeys } from './sealed-signing-keys.js';

export const tokensSchema: GatewayFeatureSchema = { entities: [SigningKey], sealed: [sealedSigningKeys] };
