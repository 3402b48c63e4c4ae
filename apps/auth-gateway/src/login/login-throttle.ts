import { Inject, Injectable } from '@nestjs/common';
import { queryPrepared } from '@platform/persistence';
import { CONFIG, type Config } from '../config.js';
import { DataSource } from 'typeorm';

const FREE_FAILURES = 5;
const LONGEST_DELAY_SECONDS = 900;
/** NIST SP 800-63B section 3.2.2: no more than 100 consecutive failures. */
const MOST_FAILURES = 100;
const CEILING_DELAY_SECONDS = 86_400;

/**
 * Slows down guessing at one account: after five wrong passwords in a row the next try waits 2 s, then 4, 8, … to 15 minutes, and a
 * day from the hundredth on. A device the account was used from before counts for itself, so that a stranger's guesses lock nobody out.
 */
@Injectable()
export class LoginThrottle {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** What the failures of an account are counted under; with a client bucket, those on that known device. */
  key(tenantId: string, canonicalEmail: string, knownBucket = ''): Buffer {
    return this.config.SECRET_KEYS.mac('login-throttle', [tenantId, canonicalEmail, knownBucket].join('\n')) as Buffer;
  }

  /**
   * Counts a wrong password. Returns false when the account was blocked meanwhile: then the answer must not tell that the password
   * was wrong, or guesses sent all at once would each get their verdict.
   */
  async recordFailure(key: Buffer): Promise<boolean> {
    const rows = await queryPrepared(
      this.dataSource,
      `INSERT INTO login_throttles AS known (key, failures) VALUES ($1, 1)
       ON CONFLICT (key) DO UPDATE SET
         failures = known.failures + 1,
         updated_at = now(),
         blocked_until = CASE
           WHEN known.failures + 1 >= ${MOST_FAILURES} THEN now() + interval '${CEILING_DELAY_SECONDS} seconds'
           WHEN known.failures + 1 >= ${FREE_FAILURES}
             THEN now() + make_interval(secs => least(${LONGEST_DELAY_SECONDS}, 2 ^ least(known.failures + 1 - ${FREE_FAILURES - 1}, 20)))
         END
       WHERE known.blocked_until IS NULL OR known.blocked_until <= now()
       RETURNING failures`,
      [key],
    );
    return rows.length > 0;
  }
}
