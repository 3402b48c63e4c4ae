import { Injectable, type OnModuleInit } from '@nestjs/common';
import { hash, verify, type Options } from '@node-rs/argon2';
import { Errors, randomToken } from '@platform/platform';
import { availableParallelism } from 'node:os';
import pLimit from 'p-limit';

/** argon2id (the package's default) with 19 MiB, two passes, one lane: the floor of OWASP ASVS 5.0, appendix C. */
export const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } satisfies Options;
const CURRENT_PARAMETERS = `$argon2id$v=19$m=${ARGON2.memoryCost},t=${ARGON2.timeCost},p=${ARGON2.parallelism}$`;
const MAX_WAITING = 64;

/** Hashes off the event loop, as many at once as there are cores. What would wait too long is refused with 503. */
@Injectable()
export class Passwords implements OnModuleInit {
  private readonly limit = pLimit(Math.max(1, availableParallelism()));
  private decoy = '';

  async onModuleInit(): Promise<void> {
    this.decoy = await hash(randomToken(), ARGON2);
  }

  /** A PHC string with a fresh salt. Equal passwords in different Unicode compositions hash alike (NFC). */
  hash(password: string): Promise<string> {
    return this.bounded(() => hash(password.normalize('NFC'), ARGON2));
  }

  /** Takes as long for an account without a password (`null`) as for a wrong one. */
  async verify(passwordHash: string | null, password: string): Promise<boolean> {
    const matches = await this.bounded(() => verify(passwordHash ?? this.decoy, password.normalize('NFC')));
    return matches && passwordHash !== null;
  }

  /** Whether the hash was made with other parameters than the current ones. */
  needsRehash(passwordHash: string): boolean {
    return !passwordHash.startsWith(CURRENT_PARAMETERS);
  }

  private bounded<T>(work: () => Promise<T>): Promise<T> {
    if (this.limit.pendingCount >= MAX_WAITING) throw Errors.unavailable();
    return this.limit(work);
  }
}
