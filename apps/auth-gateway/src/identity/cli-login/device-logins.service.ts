import { Inject, Injectable } from '@nestjs/common';
import { challengeOf } from '@platform/client/pkce';
import type {
  DeviceAuthorizeRequest,
  DeviceAuthorizeResponse,
  DeviceTokenRequest,
  DeviceTokenResult,
  TokenResponse,
} from '@platform/contracts';
import { columns, RetentionService, queryPrepared, type RowOf } from '@platform/persistence';
import { Batcher, currentContext, isUnreachable, randomToken, sha256 } from '@platform/platform';
import { DataSource } from 'typeorm';
import { AccountDeletionService, rowsOfUser } from '../../kernel/account-deletion/account-deletion.service.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import { CONFIG, type Config } from '../../config.js';
import { getAccount } from '../sessions/signed-in-account.js';
import type { Client } from '../sessions/client.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { canAuthenticate } from '../accounts/can-authenticate.js';
import { CliLoginErrors } from './cli-login.errors.js';
import { DeviceCode } from './device-code.entity.js';
import { hashUserCode, createUserCode, formatUserCode } from './user-codes.js';

const LIFETIME_SECONDS = 600;
const INTERVAL_SECONDS = 5;
const SLOW_DOWN_SECONDS = 5;
const LONGEST_INTERVAL_SECONDS = 30;
/** Seconds that a poll can be early, because timers and networks are not exact. */
const TOLERANCE_SECONDS = 1;
const PENDING_PER_ADDRESS = 5;

const MAX_POLLS = 100;
const POLL_BATCHES_AT_ONCE = 2;

const APPROVED = columns(DeviceCode, ['userId', 'label', 'credentialsEpoch']);
/** `user_id` is never null in a decided code (constraint `device_codes_decided_check`). */
type Approved = RowOf<typeof APPROVED> & { user_id: string };

interface Poll {
  deviceHash: Buffer;
  challenge: string;
}

interface Verdict {
  /** Null if the code does not exist; `wrong` if the verifier does not match the code. */
  outcome: 'approved' | 'denied' | 'expired' | 'pending' | 'early' | 'wrong' | null;
  /** Set only while the login is pending. */
  interval_seconds: number;
}

/**
 * Starts logins that users confirm on another device, and answers the polls of their clients (RFC
 * 8628, with PKCE).
 */
@Injectable()
export class DeviceLoginsService {
  private readonly polls = new Batcher((polls: Poll[]) => this.evaluatePolls(polls), {
    maxItems: MAX_POLLS,
    maxRunning: POLL_BATCHES_AT_ONCE,
  });

  constructor(
    private readonly dataSource: DataSource,
    private readonly sessions: SessionsService,
    @Inject(CONFIG) private readonly config: Config,
    retention: RetentionService,
    accountDeletion: AccountDeletionService,
  ) {
    retention.registerExpiredRows(
      { table: 'device_codes', key: 'device_hash', where: "expires_at < now() - interval '1 hour'" },
      { table: 'device_polls', key: 'device_hash', where: "polled_at < now() - interval '1 hour'" },
    );
    accountDeletion.addAccessStep(rowsOfUser('device_codes'));
  }

  /**
   * Starts a login: makes a device code for the client and a user code for the confirmation page,
   * both valid for ten minutes.
   *
   * @throws AppError 429 `device_code.too_many_pending` if five logins from the client's network
   * address are pending. `RATE_LIMIT_SCALE` multiplies the limit.
   */
  async authorizeDevice(
    { code_challenge, label }: DeviceAuthorizeRequest,
    client: Client,
  ): Promise<DeviceAuthorizeResponse> {
    const deviceCode = randomToken();
    const userCode = await this.insertLogin(deviceCode, code_challenge, label ?? null, client);
    const verificationUri = `${this.config.PANEL_URL}/device`;
    return {
      device_code: deviceCode,
      user_code: formatUserCode(userCode),
      verification_uri: verificationUri,
      verification_uri_complete: `${verificationUri}?code=${formatUserCode(userCode)}`,
      expires_in: LIFETIME_SECONDS,
      interval: INTERVAL_SECONDS,
    };
  }

  /**
   * Answers a poll of a client: `authorization_pending` while the user has not decided, or the
   * tokens, once. It does not answer 429 or 503, because clients would end the login: a client that
   * polls too fast, or while the database is unreachable, gets `slow_down`.
   *
   * @throws AppError 400 `access_denied` if the user denied the login, cannot sign in, or ended all
   * logins after the approval; `expired_token` after ten minutes; `invalid_grant` for an unknown or
   * used code or a wrong verifier. Each of them ends the login.
   */
  async pollDevice(request: DeviceTokenRequest, client: Client): Promise<DeviceTokenResult> {
    try {
      return await this.answerPoll(request, client);
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      currentContext()?.log.warn({ err: error }, 'the database is unreachable; a device login has to wait');
      return { error: 'slow_down', interval: INTERVAL_SECONDS + SLOW_DOWN_SECONDS };
    }
  }

  private async answerPoll(request: DeviceTokenRequest, client: Client): Promise<DeviceTokenResult> {
    const deviceHash = sha256(request.device_code);
    const { outcome, interval_seconds: interval } = await this.polls.addItem({
      deviceHash,
      challenge: challengeOf(request.code_verifier),
    });
    switch (outcome) {
      case 'pending':
        return { error: 'authorization_pending', interval };
      case 'early':
        return { error: 'slow_down', interval };
      case 'approved':
        return this.exchangeCode(deviceHash, client);
      case 'denied':
        throw CliLoginErrors.accessDenied();
      case 'expired':
        throw CliLoginErrors.expired();
      case 'wrong':
        await this.deleteCode(deviceHash);
        throw CliLoginErrors.invalidGrant();
      case null:
        throw CliLoginErrors.invalidGrant();
    }
  }

  /**
   * Stores a pending login and returns its user code. The lock counts concurrent requests from one
   * address one after the other.
   *
   * @throws AppError 429 `device_code.too_many_pending` if the network address has five pending
   * logins already. `RATE_LIMIT_SCALE` multiplies the limit.
   */
  private async insertLogin(
    deviceCode: string,
    codeChallenge: string,
    label: string | null,
    client: Client,
  ): Promise<string> {
    return this.dataSource.transaction(async (em) => {
      await em.query("SELECT pg_advisory_xact_lock(hashtext('device-codes'), hashtext($1))", [client.ipBucket]);
      const [pending] = await em.query<[{ count: number; wait: number | null }]>(
        `SELECT count(*)::int AS count, ceil(extract(epoch FROM min(expires_at) - now()))::int AS wait
         FROM device_codes WHERE ip_bucket = $1 AND status = 'pending' AND expires_at > now()`,
        [client.ipBucket],
      );
      if (pending.count >= PENDING_PER_ADDRESS * this.config.RATE_LIMIT_SCALE)
        throw CliLoginErrors.tooManyPending(pending.wait ?? 1);
      for (;;) {
        const userCode = createUserCode();
        const inserted = await em.query<unknown[]>(
          `INSERT INTO device_codes (device_hash, user_code_hash, code_challenge, label, ip_address, ip_bucket, user_agent, expires_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, now() + interval '${LIFETIME_SECONDS} seconds')
           ON CONFLICT (user_code_hash) DO NOTHING RETURNING 1`,
          [
            sha256(deviceCode),
            hashUserCode(this.config.SECRET_KEYS, userCode),
            codeChallenge,
            label,
            client.ipAddress,
            client.ipBucket,
            client.userAgent,
          ],
        );
        if (inserted.length) return userCode;
      }
    });
  }

  /**
   * Finds the state of the login of each poll in a batch, and the interval that its client must
   * wait. A poll that comes too early raises the interval but does not set `polled_at`; otherwise a
   * client with a constant pace would be early forever. The pace is in an unlogged table, so a poll
   * does not wait for the disk; a crash loses it, which is harmless.
   *
   * Polls of one code in a batch count as sent one after the other: all except the first are early.
   * The row is written once for all of them and counts on beyond the longest interval, so that each
   * poll gets its own interval. Every batch takes the rows in the same order, because other
   * processes can handle polls of the same codes at the same time.
   */
  private evaluatePolls(polls: Poll[]): Promise<Verdict[]> {
    const told = (interval: string) => `least(${interval}, ${LONGEST_INTERVAL_SECONDS})`;
    const isEarly = `known.polled_at > excluded.polled_at - make_interval(secs => ${told('known.interval_seconds')} - ${TOLERANCE_SECONDS})`;
    // The SELECTs hide the length of the arrays from PostgreSQL; otherwise it would plan each batch
    // again.
    return queryPrepared<Verdict>(
      this.dataSource,
      `WITH asked AS (
         SELECT a.at, c.device_hash,
           CASE WHEN c.device_hash IS NULL THEN (SELECT 'wrong' FROM device_codes w WHERE w.device_hash = a.device_hash)
             WHEN c.expires_at <= now() THEN 'expired' ELSE c.status END AS outcome,
           row_number() OVER code - 1 AS earlier, count(*) OVER code_at_all - row_number() OVER code AS later
         FROM unnest((SELECT $1::bytea[]), (SELECT $2::text[])) WITH ORDINALITY AS a(device_hash, challenge, at)
           LEFT JOIN device_codes c ON c.device_hash = a.device_hash AND c.code_challenge = a.challenge
         WINDOW code_at_all AS (PARTITION BY c.device_hash), code AS (code_at_all ORDER BY a.at)
       ), paced AS (
         INSERT INTO device_polls AS known (device_hash, polled_at, interval_seconds, was_early)
         SELECT device_hash, now(), ${INTERVAL_SECONDS} + ${SLOW_DOWN_SECONDS} * later, false
         FROM asked WHERE outcome = 'pending' AND earlier = 0 ORDER BY device_hash
         ON CONFLICT (device_hash) DO UPDATE SET
           was_early = ${isEarly},
           polled_at = CASE WHEN ${isEarly} THEN known.polled_at ELSE excluded.polled_at END,
           interval_seconds = known.interval_seconds + excluded.interval_seconds - ${INTERVAL_SECONDS}
             + CASE WHEN ${isEarly} THEN ${SLOW_DOWN_SECONDS} ELSE 0 END
         RETURNING device_hash, interval_seconds, was_early)
       SELECT CASE WHEN p.was_early OR a.outcome = 'pending' AND a.earlier > 0 THEN 'early' ELSE a.outcome END AS outcome,
         ${told(`p.interval_seconds - ${SLOW_DOWN_SECONDS} * a.later`)}::int AS interval_seconds
       FROM asked a LEFT JOIN paced p USING (device_hash) ORDER BY a.at`,
      [polls.map(({ deviceHash }) => deviceHash), polls.map(({ challenge }) => challenge)],
    );
  }

  /**
   * Deletes a device code that came with a wrong verifier, approved or not: the sender must have
   * stolen the code. The real client has to start the login again. If a user had decided, it writes
   * an audit entry. An unknown code does not reach this method, so polling with it costs no
   * transaction; existing codes cannot be guessed.
   */
  private async deleteCode(deviceHash: Buffer): Promise<void> {
    await this.dataSource.transaction(async (em) => {
      const [rows] = await em.query<[{ user_id: string | null; tenant_id: string | null }[], number]>(
        `DELETE FROM device_codes c WHERE device_hash = $1
         RETURNING user_id, (SELECT tenant_id FROM users u WHERE u.id = c.user_id) AS tenant_id`,
        [deviceHash],
      );
      if (!rows[0]) return;
      const { user_id: userId, tenant_id: tenantId } = rows[0];
      currentContext()?.log.warn({ user_id: userId }, 'a device code came with a wrong verifier; the login is ended');
      if (!userId || !tenantId) return; // no user has decided yet
      await recordAudit(em, { action: 'device_login.wrong_verifier', target: { type: 'user', id: userId }, tenantId });
    });
  }

  /**
   * Exchanges an approved device code for tokens. Of several polls at the same time, only one
   * deletes the code and starts the session, in one transaction. The code is also used up if no
   * session starts.
   *
   * @throws AppError 400 `invalid_grant` for the other polls; `access_denied` if the user cannot
   * sign in, or if all logins of the user ended after the approval, for example by a new password.
   */
  private async exchangeCode(deviceHash: Buffer, client: Client): Promise<TokenResponse> {
    const { account, id } = await this.dataSource.transaction(async (em) => {
      const [rows] = await em.query<[Approved[], number]>(
        `DELETE FROM device_codes WHERE device_hash = $1 AND status = 'approved' AND expires_at > now() RETURNING ${APPROVED}`,
        [deviceHash],
      );
      if (!rows[0]) throw CliLoginErrors.invalidGrant();
      const { user_id: userId, label, credentials_epoch: credentialsEpoch } = rows[0];
      const approver = await getAccount(em, userId);
      if (!canAuthenticate(approver)) return { account: approver, id: null };
      const terminal = { ...client, surface: 'cli', label } as const;
      return {
        account: approver,
        id: await this.sessions.startSession(em, userId, terminal, { method: 'device_code', credentialsEpoch }),
      };
    });
    if (!id) throw CliLoginErrors.accessDenied();
    return this.sessions.issueTokens(account, { id, surface: 'cli' });
  }
}
