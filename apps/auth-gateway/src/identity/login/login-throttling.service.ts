import { Inject, Injectable } from '@nestjs/common';
import { RetentionService, queryPrepared } from '@platform/persistence';
import { toFailureValues, failureSql, type FailedSignIn } from '../sign-ins/failed-sign-ins.js';
import { CONFIG, type Config } from '../../config.js';
import { DataSource, type EntityManager } from 'typeorm';

const FREE_FAILURES = 5;
const LONGEST_DELAY_SECONDS = 900;
/** NIST SP 800-63B section 3.2.2: at most 100 consecutive failures. */
const MAX_FAILURES = 100;
const CEILING_DELAY_SECONDS = 86_400;

const COUNTED = {
  columns: {
    failures: 'c.failures',
    blocked_seconds: 'greatest(ceil(extract(epoch FROM c.blocked_until - now())), 0)',
  },
  from: 'CROSS JOIN counted c',
};

/**
 * Slows down password guessing for one account: after five wrong passwords in a row the account is
 * blocked for 2 s, then 4, 8, … up to 15 minutes, and for a day from the hundredth on. Failures on
 * a device that sends the `device_token` of an earlier login count separately, so that strangers
 * cannot lock the owner out.
 */
@Injectable()
export class LoginThrottlingService {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(CONFIG) private readonly config: Config,
    retention: RetentionService,
  ) {
    retention.registerExpiredRows({
      table: 'login_throttles',
      key: 'key',
      where: "updated_at < now() - interval '2 days' AND (blocked_until IS NULL OR blocked_until < now())",
    });
  }

  /**
   * Makes the key under which failures are counted: for the account, or for the account on a known
   * device. It does not reveal the address.
   */
  makeThrottleKey(tenantId: string, email: string, device = ''): Buffer {
    return this.config.SECRET_KEYS.mac('login-throttle', [tenantId, email, device].join('\n')) as Buffer;
  }

  /**
   * Counts a wrong password under a key of `makeThrottleKey`, and records the failure for the audit
   * log. From the fifth in a row on, it blocks the key: for 2 s, then 4, 8, … up to 15 minutes, and
   * from the hundredth on for a day. Does nothing while the key is blocked.
   *
   * @param failed failure for the audit log; null: record nothing.
   * @returns true if it was counted; false if the key was blocked in the meantime. Then the answer
   * must not reveal that the password was wrong; otherwise each of many concurrent guesses would
   * get an answer.
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
             WHEN known.failures + 1 >= ${MAX_FAILURES} THEN now() + interval '${CEILING_DELAY_SECONDS} seconds'
             WHEN known.failures + 1 >= ${FREE_FAILURES}
               THEN now() + make_interval(secs => least(${LONGEST_DELAY_SECONDS}, 2 ^ least(known.failures + 1 - ${FREE_FAILURES - 1}, 20)))
           END
         WHERE known.blocked_until IS NULL OR known.blocked_until <= now()
         RETURNING failures, blocked_until
       ), recorded AS (${failureSql(COUNTED)})
       SELECT failures FROM counted`,
      [...toFailureValues(failed), key],
    );
    return rows.length > 0;
  }

  /** Returns the seconds until the next attempt is allowed; 0 if it is allowed now. */
  async getBlockedSeconds(key: Buffer): Promise<number> {
    const [row] = await this.dataSource.query<{ seconds: number | null }[]>(
      'SELECT extract(epoch FROM blocked_until - now())::float8 AS seconds FROM login_throttles WHERE key = $1',
      [key],
    );
    return Math.max(0, row?.seconds ?? 0);
  }

  /**
   * Resets the count of wrong passwords of one key (`makeThrottleKey`) after a correct password.
   *
   * @returns true if it was reset; false if the key was blocked in the meantime. Then the count
   * stays, and the answer must not reveal that the password was correct.
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

  /**
   * Resets the count of wrong passwords of one key (`makeThrottleKey`) and ends its block, after
   * another proof of identity, such as a password reset.
   */
  async resetFailures(em: EntityManager, key: Buffer): Promise<void> {
    await em.query('DELETE FROM login_throttles WHERE key = $1', [key]);
  }
}
