import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { CLAIMS, hmacClaim, SIGNATURE_SCHEMES, type Claim, type HmacOptions, type SignatureScheme } from './schemes.js';
import { SignatureErrors } from './signatures.errors.js';

const DEFAULT_TOLERANCE_SECONDS = 300;
const MAX_TOLERANCE_SECONDS = 86_400;
/** Two secrets and two signatures are enough for a rotation; each more costs time. */
const MAX_SECRETS = 5;
const MAX_SIGNATURES = 10;

export interface VerifyOptions {
  scheme: SignatureScheme;
  /**
   * The secret, or several during a rotation: a signature by any of them is accepted. Null and
   * empty values are ignored.
   */
  secret: string | null | readonly (string | null)[];
  /**
   * Accepted difference between the signed time and now, in either direction: 300 s by default, at
   * most a day.
   */
  toleranceSeconds?: number;
  /** Required for the scheme `hmac`. */
  hmac?: HmacOptions;
}

/** A received request. Header names are in lower case; `body` has the bytes that arrived. */
export interface SignedRequest {
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}

export interface Verification {
  valid: boolean;
  /** Reason for a failure, for logs; do not send it to the sender of the webhook. */
  reason: 'missing' | 'stale' | 'mismatch' | null;
}

/**
 * Verifies that a request was signed with one of the secrets, over exactly these bytes, and
 * recently if the scheme signs a time. Compares in constant time, up to ten signatures. The reason
 * for a failure is `missing` (no signature), `stale` (too old or too new) or `mismatch`.
 *
 * @throws ExtensionError WEBHOOK_SECRET_MISSING if no secret is set, WEBHOOK_SECRET_MALFORMED if a
 * secret of the scheme `standard-webhooks` is needed and malformed, WEBHOOK_VERIFY_INVALID for
 * invalid options or more than five secrets. The content of the request alone never makes it throw.
 */
export function verifySignature(request: SignedRequest, options: VerifyOptions, now = Date.now()): Verification {
  const secrets = secretsOf(options);
  return verifyClaim(claimOf(request, options), secrets, request.body, now, options.toleranceSeconds);
}

export interface HmacVerifyOptions extends Pick<HmacOptions, 'algorithm' | 'encoding' | 'prefix'> {
  data: string;
  secret: string | null;
  /** Signature as received. */
  signature: string;
  /**
   * Signing time in seconds since 1970. It protects against replays only if it is a part of `data`.
   */
  timestamp?: string | number | null;
  toleranceSeconds?: number;
}

/**
 * Verifies the signature of any text, for signatures that the handler reads itself. Compares in
 * constant time. The reason for a failure is `missing` (no signature), `stale` (the timestamp is no
 * number of seconds, too old or too new) or `mismatch`.
 *
 * @throws ExtensionError WEBHOOK_SECRET_MISSING if no secret is set, WEBHOOK_VERIFY_INVALID for an
 * unknown algorithm or encoding, and unless the tolerance is more than 0 and at most a day.
 */
export function verifyHmac(
  { data, secret, signature, timestamp, toleranceSeconds, ...scheme }: HmacVerifyOptions,
  now = Date.now(),
): Verification {
  const claim = hmacClaim({ signature }, { ...scheme, header: 'signature' });
  return verifyClaim(
    claim && { ...claim, timestamp: timestamp?.toString() ?? null },
    secretsOf({ secret }),
    Buffer.from(data),
    now,
    toleranceSeconds,
  );
}

function verifyClaim(
  claim: Claim | null,
  secrets: string[],
  body: Buffer,
  now: number,
  toleranceSeconds = DEFAULT_TOLERANCE_SECONDS,
): Verification {
  if (!(toleranceSeconds > 0 && toleranceSeconds <= MAX_TOLERANCE_SECONDS)) {
    throw SignatureErrors.optionsInvalid(
      `"toleranceSeconds" must be more than 0 and at most ${MAX_TOLERANCE_SECONDS} seconds.`,
    );
  }
  if (!claim?.signatures.length) return { valid: false, reason: 'missing' };
  if (claim.timestamp !== null && !isRecent(claim.timestamp, toleranceSeconds, now))
    return { valid: false, reason: 'stale' };
  const expected = secrets.map((secret) => signatureOf(claim, claim.keyOf(secret), body));
  const given = claim.signatures.slice(0, MAX_SIGNATURES).map((signature) => normalised(claim, signature));
  // Every pair is compared, so that the duration does not reveal which one matched.
  const matches = given.flatMap((signature) => expected.filter((candidate) => safeEqual(candidate, signature)));
  return matches.length ? { valid: true, reason: null } : { valid: false, reason: 'mismatch' };
}

function secretsOf({ secret }: Pick<VerifyOptions, 'secret'>): string[] {
  const secrets = [secret].flat().filter((one) => typeof one === 'string' && one !== '') as string[];
  if (!secrets.length) throw SignatureErrors.secretMissing();
  if (secrets.length > MAX_SECRETS) throw SignatureErrors.optionsInvalid(`Use at most ${MAX_SECRETS} secrets.`);
  return secrets;
}

function claimOf({ headers }: SignedRequest, { scheme, hmac }: VerifyOptions): Claim | null {
  if (scheme !== 'hmac') {
    if (!SIGNATURE_SCHEMES.includes(scheme))
      throw SignatureErrors.optionsInvalid(`The scheme must be one of ${SIGNATURE_SCHEMES.join(', ')}.`);
    return CLAIMS[scheme](headers);
  }
  if (!hmac?.header)
    throw SignatureErrors.optionsInvalid(
      'The scheme hmac needs the option "hmac.header": the header with the signature.',
    );
  return hmacClaim(headers, hmac);
}

/**
 * Compares two texts in constant time. Both sides are hashed first, since `timingSafeEqual` throws
 * on different lengths.
 */
const safeEqual = (one: string, other: string): boolean => timingSafeEqual(sha256(one), sha256(other));
const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** True if the text is whole seconds since 1970 within the tolerance, in the past or the future. */
function isRecent(timestamp: string, toleranceSeconds: number, now: number): boolean {
  return /^\d{1,12}$/.test(timestamp) && Math.abs(now / 1000 - Number(timestamp)) <= toleranceSeconds;
}

function signatureOf(claim: Claim, key: Buffer, body: Buffer): string {
  const hmac = createHmac(claim.algorithm, key).update(claim.before).update(body).update(claim.after);
  return normalised(claim, hmac.digest(claim.encoding));
}

/**
 * Removes differences between equal signatures: upper case in hexadecimal, padding in Base64. Texts
 * are compared instead of decoded bytes, since several texts decode to the same bytes.
 */
const normalised = ({ encoding }: Claim, signature: string): string =>
  encoding === 'hex' ? signature.toLowerCase() : signature.replace(/={1,2}$/, '');
