import { Injectable, type OnModuleInit } from '@nestjs/common';
import { hash, verify, type Options } from '@node-rs/argon2';
import { Errors, randomToken } from '@platform/platform';
import { availableParallelism } from 'node:os';
import pLimit from 'p-limit';

/**
 * argon2id (the default of the package) with 19 MiB, two passes, one lane: the minimum of OWASP
 * ASVS 5.0, appendix C.
 */
export const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } satisfies Options;
const CURRENT_PARAMETERS = `$argon2id$v=19$m=${ARGON2.memoryCost},t=${ARGON2.timeCost},p=${ARGON2.parallelism}$`;
const MAX_WAITING = 64;

/**
 * Hashes passwords outside of the event loop, one per core at the same time. @throws AppError 503
 * if too many hashes wait.
 */
@Injectable()
export class Passwords implements OnModuleInit {
  private readonly limit = pLimit(Math.max(1, availableParallelism()));
  private decoy = '';

  async onModuleInit(): Promise<void> {
    this.decoy = await hash(randomToken(), ARGON2);
  }

  /**
   * PHC string with a new salt. Different Unicode compositions of a password count as the same
   * password (NFC).
   */
  hash(password: string): Promise<string> {
    return this.bounded(() => hash(password.normalize('NFC'), ARGON2));
  }

  /**
   * Checks a password. Takes the same time for an account without a password (`null`) as for a
   * wrong password.
   */
  async verify(passwordHash: string | null, password: string): Promise<boolean> {
    const matches = await this.bounded(() => verify(passwordHash ?? this.decoy, password.normalize('NFC')));
    return matches && passwordHash !== null;
  }

  /** True if the hash was made with other than the current parameters. */
  needsRehash(passwordHash: string): boolean {
    return !passwordHash.startsWith(CURRENT_PARAMETERS);
  }

  private bounded<T>(work: () => Promise<T>): Promise<T> {
    if (this.limit.pendingCount >= MAX_WAITING) throw Errors.unavailable();
    return this.limit(work);
  }
}
