import type { GatewayFeatureSchema } from '../../kernel/gateway-feature-schema.js';
import { MailOutage } from './mail-outage.entity.js';
import { MailOutages1764685002000 } from './migrations/1764685002000-mail-outages.js';

export const mailSchema: GatewayFeatureSchema = { entities: [MailOutage], migrations: [MailOutages1764685002000] };
