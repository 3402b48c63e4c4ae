import { hash, randomBytes } from 'node:crypto';

/** Creates a PKCE verifier: a random secret of 64 characters (RFC 7636 section 4.1). */
export const newVerifier = (): string => randomBytes(48).toString('base64url');

/** Returns the PKCE challenge for a verifier, by the method S256 (RFC 7636 section 4.6). */
export const challengeOf = (verifier: string): string => hash('sha256', verifier, 'base64url');
