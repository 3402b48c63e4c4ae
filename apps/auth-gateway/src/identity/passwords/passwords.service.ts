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
 * Hashes and checks passwords outside of the event loop, one per core at the same time. At most 64
 * more wait.
 *
 * @throws AppError 503 `unavailable`, from each method that hashes, if more would wait.
 */
@Injectable()
export class PasswordsService implements OnModuleInit {
  private readonly limit = pLimit(Math.max(1, availableParallelism()));
  private decoy = '';

  async onModuleInit(): Promise<void> {
    this.decoy = await hash(randomToken(), ARGON2);
  }

  /**
   * Hashes a password with argon2id and a new salt. Returns a PHC string, which contains the
   * parameters and the salt. Different Unicode compositions of a password count as the same
   * password (NFC).
   *
   * @throws AppError 503 `unavailable` if 64 hashes are waiting.
   */
  hashPassword(password: string): Promise<string> {
    return this.runBounded(() => hash(password.normalize('NFC'), ARGON2));
  }

  /**
   * Checks a password against a hash of `hashPassword`. False for an account without a password
   * (`null`), after the same time as for a wrong password.
   *
   * @throws AppError 503 `unavailable` if 64 hashes are waiting.
   */
  async verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
    const matches = await this.runBounded(() => verify(passwordHash ?? this.decoy, password.normalize('NFC')));
    return matches && passwordHash !== null;
  }

  /** True if the hash was made with other parameters than the current ones. */
  needsRehash(passwordHash: string): boolean {
    return !passwordHash.startsWith(CURRENT_PARAMETERS);
  }

  private runBounded<T>(work: () => Promise<T>): Promise<T> {
    if (this.limit.pendingCount >= MAX_WAITING) throw Errors.unavailable();
    return this.limit(work);
  }
}
