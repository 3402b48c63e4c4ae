import type { FeatureSchema } from '@platform/persistence';
import type { Keyring } from '@platform/platform';
import type { SealedColumn } from './sealing/sealed-column.js';

/** The entities, migrations and sealed columns of one feature of the gateway. */
export interface GatewayFeatureSchema extends FeatureSchema {
  /** Columns whose values are sealed with one of `SECRET_KEYS`. They are sealed anew with the first of them after a new key. */
  sealed?: readonly ((keyring: Keyring) => SealedColumn)[];
}
