import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

export const sha256 = (value: string | Buffer): Buffer => hash('sha256', value, 'buffer');

/**
 * True if both are equal. Takes the same time for all values of a length. Both sides are hashed
 * first, since `timingSafeEqual` throws on different lengths.
 */
export const safeEqual = (a: string | Buffer, b: string | Buffer): boolean => timingSafeEqual(sha256(a), sha256(b));

/**
 * True if two digests or MACs are equal. Takes the same time for all values of a length; the length
 * is no secret.
 */
export const equalDigests = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b);

/**
 * A new secret of 256 random bits, as base64url. It is for secrets of which only the SHA-256 is
 * stored.
 */
export const randomToken = (): string => randomBytes(32).toString('base64url');
