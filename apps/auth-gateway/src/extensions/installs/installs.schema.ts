import type { GatewayFeatureSchema } from '../../kernel/gateway-feature-schema.js';
import { DocumentPurge } from './document-purge.entity.js';
import { InstallNarrowing } from './install-narrowing.entity.js';
import { Install } from './install.entity.js';
import { AgreedPrices1764600001000 } from './migrations/1764600001000-agreed-prices.js';

export const installsSchema: GatewayFeatureSchema = {
  entities: [DocumentPurge, Install, InstallNarrowing],
  migrations: [AgreedPrices1764600001000],
};
