import type { FeatureSchema } from '@platform/persistence';
import type { Keyring } from '@platform/platform';
import type { SealedColumn } from './sealing/sealed-column.js';

/** What a feature has in the schema of the gateway. */
export interface GatewaySchema extends FeatureSchema {
  /** Columns with values that `SECRET_KEYS` seal, which move to the first of these keys by themselves. */
  sealed?: readonly ((keyring: Keyring) => SealedColumn)[];
}
