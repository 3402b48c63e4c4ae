import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

export const sha256 = (value: string | Buffer): Buffer => hash('sha256', value, 'buffer');

/**
 * Compares in constant time. Both sides are hashed first, since `timingSafeEqual` throws on
 * different lengths.
 */
export const safeEqual = (a: string | Buffer, b: string | Buffer): boolean => timingSafeEqual(sha256(a), sha256(b));

/** Compares digests or MACs in constant time. Their length is no secret. */
export const equalDigests = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b);

/** 256 random bits, safe in URLs, for secrets that are stored only as SHA-256. */
export const randomToken = (): string => randomBytes(32).toString('base64url');
