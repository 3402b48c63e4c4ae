import { safeEqual, type Keyring } from '@platform/platform';

const PURPOSE = 'refresh-token';
const FORMAT = /^rt1_([a-z0-9]{1,16})_([A-Za-z0-9_-]{20,200})$/;
const MAC_BYTES = 32;
const COUNTER_BYTES = 4;

export interface RefreshTokenContent {
  sessionId: string;
  /** Number of refreshes of the session before this token. */
  counter: number;
}

/**
 * Makes a refresh token: version, key id, session id, counter and their HMAC. Tokens are derived
 * and not stored: the same content gives the same token. So a lost answer can be repeated, and a
 * dump of the database contains no tokens.
 */
export function createRefreshToken(keyring: Keyring, content: RefreshTokenContent): string {
  const body = encode(content);
  const mac = keyring.mac(PURPOSE, body) as Buffer;
  return `rt1_${keyring.currentId}_${Buffer.concat([body, mac]).toString('base64url')}`;
}

/**
 * Checks a refresh token without a query, and returns its content. Null if it is malformed or
 * changed, or if its secret key was removed. It does not check that the session is active.
 */
export function parseRefreshToken(keyring: Keyring, token: string): RefreshTokenContent | null {
  const [, keyId, encoded] = FORMAT.exec(token) ?? [];
  if (!keyId || !encoded) return null;
  const bytes = Buffer.from(encoded, 'base64url');
  const body = bytes.subarray(0, -MAC_BYTES);
  const mac = keyring.mac(PURPOSE, body, keyId);
  if (!mac || body.length <= COUNTER_BYTES || !safeEqual(mac, bytes.subarray(-MAC_BYTES))) return null;
  return { sessionId: body.subarray(COUNTER_BYTES).toString('utf8'), counter: body.readUInt32BE(0) };
}

function encode({ sessionId, counter }: RefreshTokenContent): Buffer {
  const head = Buffer.alloc(COUNTER_BYTES);
  head.writeUInt32BE(counter);
  return Buffer.concat([head, Buffer.from(sessionId, 'utf8')]);
}
