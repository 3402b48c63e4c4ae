import type { GatewayFeatureSchema } from '../../kernel/gateway-feature-schema.js';
import { DocumentPurge } from './document-purge.entity.js';
import { InstallNarrowing } from './install-narrowing.entity.js';
import { Install } from './install.entity.js';
import { AgreedPrices1764600001000 } from './migrations/1764600001000-agreed-prices.js';
import { DaysOfPurgesInUtc1764685000010 } from './migrations/1764685000010-days-of-purges-in-utc.js';

export const installsSchema: GatewayFeatureSchema = {
  entities: [DocumentPurge, Install, InstallNarrowing],
  migrations: [AgreedPrices1764600001000, DaysOfPurgesInUtc1764685000010],
};
