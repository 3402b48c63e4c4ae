import { safeEqual, sha256 } from '@platform/platform';

/** RFC 7636 section 4.6, method S256. */
export const challengeOf = (verifier: string): string => sha256(verifier).toString('base64url');

export const verifies = (verifier: string, challenge: string): boolean => safeEqual(challengeOf(verifier), challenge);
