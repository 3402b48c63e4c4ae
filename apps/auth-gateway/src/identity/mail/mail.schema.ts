import type { GatewayFeatureSchema } from '../../kernel/gateway-feature-schema.js';
import { MailOutage } from './mail-outage.entity.js';

export const mailSchema: GatewayFeatureSchema = { entities: [MailOutage] };
