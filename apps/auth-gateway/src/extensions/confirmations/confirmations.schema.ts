import type { GatewayFeatureSchema } from '../../kernel/gateway-feature-schema.js';
import { Confirmation } from './confirmation.entity.js';
import { PricesOfConfirmations1764600001010 } from './migrations/1764600001010-prices-of-confirmations.js';

export const confirmationsSchema: GatewayFeatureSchema = {
  entities: [Confirmation],
  migrations: [PricesOfConfirmations1764600001010],
};
