import type { Keyring } from '@platform/platform';
import { randomBytes } from 'node:crypto';
import { SealedColumn } from '../../../../kernel/sealing/sealed-column.js';

/** Of Standard Webhooks: between 24 and 64. */
const SECRET_BYTES = 32;

/** As Standard Webhooks writes it. */
export const newEndpointSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;

/** Both columns have one purpose, so that what signs becomes what has signed before without being opened. */
const sealedIn =
  (column: string, what: string) =>
  (keyring: Keyring): SealedColumn =>
    new SealedColumn(keyring, { what, purpose: 'webhook-endpoint', table: 'webhook_endpoints', id: 'id', column });

export const sealedSecrets = sealedIn('sealed_secret', 'secret of a webhook endpoint');
export const sealedPreviousSecrets = sealedIn('sealed_previous_secret', 'previous secret of a webhook endpoint');
