import { Inject, Injectable } from '@nestjs/common';
import { Expiries, queryPrepared } from '@platform/persistence';
import { failureValues, insertFailure, type FailedSignIn } from '../sign-ins/failed-sign-ins.js';
import { CONFIG, type Config } from '../../config.js';
import { DataSource, type EntityManager } from 'typeorm';

const FREE_FAILURES = 5;
const LONGEST_DELAY_SECONDS = 900;
/** NIST SP 800-63B section 3.2.2: no more than 100 consecutive failures. */
const MOST_FAILURES = 100;
const CEILING_DELAY_SECONDS = 86_400;

const COUNTED = {
  columns: { failures: 'c.failures', blocked_seconds: 'greatest(ceil(extract(epoch FROM c.blocked_until - now())), 0)' },
  from: 'CROSS JOIN counted c',
};

/**
 * Slows down guessing at one account: after five wrong passwords in a row the next try waits 2 s, then 4, 8, … to 15 minutes, and a
 * day from the hundredth on. A device that shows the `device_token` of a login counts for itself, so that a stranger's guesses lock nobody out.
 */
@Injectable()
export class LoginThrottling {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(CONFIG) private readonly config: Config,
    expiries: Expiries,
  ) {
    expiries.add({
      table: 'login_throttles',
      key: 'key',
      where: "updated_at < now() - interval '2 days' AND (blocked_until IS NULL OR blocked_until < now())",
    });
  }

  /** What the failures of an account are counted under; with a known device, those on it. */
  key(tenantId: string, email: string, device = ''): Buffer {
    return this.config.SECRET_KEYS.mac('login-throttle', [tenantId, email, device].join('\n')) as Buffer;
  }

  /**
   * Counts a wrong password. Returns false when the account was blocked meanwhile: then the answer must not tell that the password
   * was wrong, or guesses sent all at once would each get their verdict.
   *
   * @param failed what the audit log is to tell of it; null for nothing.
   */
  async recordFailure(key: Buffer, failed: FailedSignIn | null): Promise<boolean> {
    const rows = await queryPrepared(
      this.dataSource,
      `WITH counted AS (
         INSERT INTO login_throttles AS known (key, failures) VALUES ($8, 1)
         ON CONFLICT (key) DO UPDATE SET
           failures = known.failures + 1,
           updated_at = now(),
           blocked_until = CASE
             WHEN known.failures + 1 >= ${MOST_FAILURES} THEN now() + interval '${CEILING_DELAY_SECONDS} seconds'
             WHEN known.failures + 1 >= ${FREE_FAILURES}
               THEN now() + make_interval(secs => least(${LONGEST_DELAY_SECONDS}, 2 ^ least(known.failures + 1 - ${FREE_FAILURES - 1}, 20)))
           END
         WHERE known.blocked_until IS NULL OR known.blocked_until <= now()
         RETURNING failures, blocked_until
       ), recorded AS (${insertFailure(COUNTED)})
       SELECT failures FROM counted`,
      [...failureValues(failed), key],
    );
    return rows.length > 0;
  }

  /** Seconds until the next try is allowed; 0 when it is now. */
  async blockedFor(key: Buffer): Promise<number> {
    const [row] = await this.dataSource.query<{ seconds: number | null }[]>(
      'SELECT extract(epoch FROM blocked_until - now())::float8 AS seconds FROM login_throttles WHERE key = $1',
      [key],
    );
    return Math.max(0, row?.seconds ?? 0);
  }

  /**
   * After the right password. Returns false, with nothing forgotten, when the account was blocked meanwhile: then the answer must not
   * tell that the password was right.
   */
  async recordSuccess(key: Buffer): Promise<boolean> {
    const [row] = await queryPrepared<{ allowed: boolean }>(
      this.dataSource,
      `WITH allowed AS (
         SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM login_throttles WHERE key = $1 AND blocked_until > now())
       ), forgotten AS (
         DELETE FROM login_throttles WHERE key = $1 AND EXISTS (SELECT 1 FROM allowed)
       )
       SELECT EXISTS (SELECT 1 FROM allowed) AS allowed`,
      [key],
    );
    return row?.allowed ?? false;
  }

  /** After another proof of who the person is. */
  async forget(em: EntityManager, key: Buffer): Promise<void> {
    await em.query('DELETE FROM login_throttles WHERE key = $1', [key]);
  }
}
