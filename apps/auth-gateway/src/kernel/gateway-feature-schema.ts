import type { FeatureSchema } from '@platform/persistence';
import type { Keyring } from '@platform/platform';
import type { SealedColumn } from './sealing/sealed-column.js';

/** Entities, migrations and sealed columns of one feature of the gateway. */
export interface GatewayFeatureSchema extends FeatureSchema {
  /**
   * Columns with values that are sealed with a key of `SECRET_KEYS`. After a new first key is
   * added, the values are sealed again with it.
   */
  sealed?: readonly ((keyring: Keyring) => SealedColumn)[];
}
