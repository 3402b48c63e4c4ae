import type { Keyring } from '@platform/platform';
import { SealedColumn } from '../../kernel/sealing/sealed-column.js';

/** Encrypted payout accounts in the database. */
export const sealedDestinations = (keyring: Keyring): SealedColumn =>
  new SealedColumn(keyring, {
    what: 'destination of payouts',
    purpose: 'payout-destination',
    table: 'payout_destinations',
    id: 'id',
    column: 'sealed_details',
  });
