import { createHash, randomBytes } from 'node:crypto';

/** A new secret of 64 characters (RFC 7636 section 4.1). */
export const newVerifier = (): string => randomBytes(48).toString('base64url');

/** The S256 challenge that stands for it. */
export const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');
