import type { GatewayFeatureSchema } from '../../kernel/gateway-feature-schema.js';
import { MailToken } from './mail-token.entity.js';

export const mailLinksSchema: GatewayFeatureSchema = { entities: [MailToken] };
