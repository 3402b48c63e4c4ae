import type { Keyring } from '@platform/platform';
import { randomBytes } from 'node:crypto';
import { SealedColumn } from '../../../../kernel/sealing/sealed-column.js';

/** Standard Webhooks requires 24 to 64 bytes. */
const SECRET_BYTES = 32;

/** A new secret in the format of Standard Webhooks. */
export const newEndpointSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;

/**
 * Makes a function that returns the encryption for a column with secrets of endpoints. Both columns
 * have the same purpose, so that a current secret can become the previous one without decryption.
 */
const sealedIn =
  (column: string, what: string) =>
  (keyring: Keyring): SealedColumn =>
    new SealedColumn(keyring, { what, purpose: 'webhook-endpoint', table: 'webhook_endpoints', id: 'id', column });

export const sealedSecrets = sealedIn('sealed_secret', 'secret of a webhook endpoint');
export const sealedPreviousSecrets = sealedIn('sealed_previous_secret', 'previous secret of a webhook endpoint');
