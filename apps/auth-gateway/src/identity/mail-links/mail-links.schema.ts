import type { GatewaySchema } from '../../kernel/gateway-feature-schema.js';
import { MailToken } from './mail-token.entity.js';

export const mailLinksSchema: GatewaySchema = { entities: [MailToken] };
