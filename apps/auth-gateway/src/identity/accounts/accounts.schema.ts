import type { GatewayFeatureSchema } from '../../kernel/gateway-feature-schema.js';
import { Agency } from './agency.entity.js';
import { NotificationSettings1764660000200 } from './migrations/1764660000200-notification-settings.js';
import { FoldedTexts1764685001000 } from './migrations/1764685001000-folded-texts.js';
import { Role } from './role.entity.js';
import { Tenant } from './tenant.entity.js';
import { User } from './user.entity.js';

export const accountsSchema: GatewayFeatureSchema = {
  entities: [Agency, Role, Tenant, User],
  migrations: [NotificationSettings1764660000200, FoldedTexts1764685001000],
};
