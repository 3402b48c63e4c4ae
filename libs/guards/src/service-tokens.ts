import { sha256, type ServiceToken } from '@platform/platform';
import { timingSafeEqual } from 'node:crypto';

/** The live service tokens. Only their SHA-256 stays in memory. */
export class ServiceTokens {
  private readonly hashes: { name: string; hash: Buffer }[];

  constructor(tokens: readonly ServiceToken[]) {
    this.hashes = tokens.map(({ name, token }) => ({ name, hash: sha256(token) }));
  }

  /** The name of the caller, or null. Every token is compared, each in constant time. */
  identify(presented: string): string | null {
    const hash = sha256(presented);
    let found: string | null = null;
    for (const known of this.hashes) if (timingSafeEqual(known.hash, hash)) found = known.name;
    return found;
  }
}
