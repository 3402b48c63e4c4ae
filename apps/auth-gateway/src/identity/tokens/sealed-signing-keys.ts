import type { JsonWebKeyResponse } from '@platform/contracts';
import type { Keyring } from '@platform/platform';
import { calculateJwkThumbprint, type JWK } from 'jose';
import { SealedColumn, SealError } from '../../kernel/sealing/sealed-column.js';

export const ALGORITHM = 'RS256';

/** Describes the column with the encrypted private keys, each bound to its `kid`. */
export const sealedSigningKeys = (keyring: Keyring): SealedColumn =>
  new SealedColumn(keyring, {
    what: 'signing key',
    purpose: 'signing-key',
    table: 'signing_keys',
    id: 'kid',
    column: 'sealed_private_jwk',
    check: toPublicKey,
  });

/**
 * Returns the public part of a private key, in the form of RFC 7517.
 *
 * @param plaintext the private key as JSON (JWK).
 * @throws SealError if the key is not an RSA key, or `kid` is not its RFC 7638 thumbprint;
 * SyntaxError if the text is not JSON.
 */
export async function toPublicKey(kid: string, plaintext: string): Promise<JsonWebKeyResponse> {
  const { kty, n, e } = JSON.parse(plaintext) as JWK;
  if (kty !== 'RSA' || !n || !e || (await calculateJwkThumbprint({ kty, n, e })) !== kid)
    throw new SealError('The key belongs to another kid.');
  return { kty, use: 'sig', alg: ALGORITHM, kid, n, e };
}
