import { Inject, Injectable } from '@nestjs/common';
import type { Surface, TokenResponse } from '@platform/contracts';
import { BroadcastService } from '@platform/messaging';
import { columns, RetentionService, queryPrepared, type Row, type RowOf } from '@platform/persistence';
import { currentContext, Errors, newId } from '@platform/platform';
import { DataSource, type EntityManager } from 'typeorm';
import { publishEvent } from '../../kernel/events/publish-event.js';
import { AccountDeletionService, rowsOfUser } from '../../kernel/account-deletion/account-deletion.service.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import { CONFIG, type Config } from '../../config.js';
import { ACCESS_TOKEN_SECONDS, AccessTokensService } from '../tokens/access-tokens.service.js';
import { accountDisabledError, canAuthenticate } from '../accounts/can-authenticate.js';
import { ACCOUNT_COLUMNS, ACCOUNT_JOINS, toTokenSubject, type Account } from './signed-in-account.js';
import type { Client } from './client.js';
import { createRefreshToken, parseRefreshToken, type RefreshTokenContent } from './refresh-token.js';
import { Session } from './session.entity.js';
import { SessionErrors } from './sessions.errors.js';
import { SESSION_ENDED } from './signed-in-users.service.js';

const IDLE = '30 days';
const ABSOLUTE = '180 days';
const MAX_SESSIONS_PER_USER = 50;
const MAX_REGISTERED_PER_USER = 25;
/** Maximum live sessions of a user. */
export const MAX_LIVE_SESSIONS = MAX_SESSIONS_PER_USER + MAX_REGISTERED_PER_USER;
/** Rotations per session: 30 at once, then 30 a minute. */
const ROTATION_BURST_SECONDS = 60;
const ROTATION_INTERVAL_SECONDS = 2;
/** Number of rotations that fit into the longest possible grace period. */
const REMEMBERED_ROTATIONS = 181;

type SessionAccount = Account & Row<Session, 'surface'>;

const ENDED = columns(Session, ['id', 'surface']);
type EndedSession = RowOf<typeof ENDED>;

/** Login method, for the audit log. */
export type SignInMethod = 'password' | 'terminal_code' | 'device_code' | 'email_confirmation' | 'registration';

/**
 * Proof of a login. It is valid while the user's credentials epoch, which is raised when all logins
 * of the user end, is unchanged, and the account is not blocked because of wrong passwords.
 */
export interface SessionProof {
  method: SignInMethod;
  credentialsEpoch?: number;
  throttleKey?: Buffer;
}

/** Sessions that do not end: one session, or all sessions of a surface. */
export interface KeptSessions {
  except?: string | undefined;
  surface?: Surface | undefined;
}

interface RotationState extends SessionAccount {
  counter: number;
  /** Seconds since the presented token was rotated. Null if it was not rotated, or too long ago. */
  rotated_ago: number | null;
}

/**
 * Ended sessions are kept for 90 days for investigations. Registered sessions are kept for one day,
 * because they prove nothing.
 */
const DEAD_SESSIONS = {
  table: 'sessions',
  key: 'id',
  where:
    "least(revoked_at, idle_expires_at, absolute_expires_at) < now() - interval '1 day' * CASE WHEN registered THEN 1 ELSE 90 END",
};

/**
 * Sessions and their token pairs. A login starts a session, a refresh rotates its tokens, and a
 * logout or a misused token ends it.
 */
@Injectable()
export class SessionsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly accessTokens: AccessTokensService,
    private readonly broadcast: BroadcastService,
    @Inject(CONFIG) private readonly config: Config,
    retention: RetentionService,
    accountDeletion: AccountDeletionService,
  ) {
    retention.registerExpiredRows(DEAD_SESSIONS);
    accountDeletion.addAccessStep(rowsOfUser('sessions'));
  }

  /**
   * Starts a session, in the caller's transaction if `em` is given, and returns its id. A user has
   * at most 50 sessions from logins and 25 registered ones; a new session replaces the one of the
   * same kind that was idle longest. With `proof`, the login is recorded for the audit log, and the
   * count of wrong passwords under its `throttleKey` is reset. Registered sessions have no proof,
   * because nobody logs in with them.
   *
   * @returns null if the user does not exist or is deactivated, or if `proof` is no longer valid;
   * then nothing was written. The state of the tenant is not checked.
   */
  async startSession(
    em: EntityManager | null,
    userId: string,
    client: Omit<Client, 'ipBucket'>,
    proof?: SessionProof,
  ): Promise<string | null> {
    const id = newId('ses');
    // The lock on the user's row orders this statement and `endUserSessions`: an earlier session is
    // ended by it.
    const statement = `WITH allowed AS (
         SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM login_throttles WHERE key = $6 AND blocked_until > now())
       ), seen AS (
         UPDATE users SET last_login_at = CASE WHEN $9::boolean THEN last_login_at ELSE now() END
         WHERE id = $2 AND is_active AND ($8::integer IS NULL OR credentials_epoch = $8) AND EXISTS (SELECT 1 FROM allowed) RETURNING id, tenant_id
       ), forgotten AS (
         DELETE FROM login_throttles WHERE key = $6 AND EXISTS (SELECT 1 FROM seen)
       ), evicted AS (
         UPDATE sessions SET revoked_at = now(), revoked_reason = 'evicted'
         WHERE EXISTS (SELECT 1 FROM seen) AND id IN (
           SELECT id FROM sessions WHERE user_id = $2 AND revoked_at IS NULL AND registered = $9
           ORDER BY last_seen_at DESC OFFSET CASE WHEN $9 THEN ${MAX_REGISTERED_PER_USER - 1} ELSE ${MAX_SESSIONS_PER_USER - 1} END)
       ), recorded AS (
         INSERT INTO sign_in_records (tenant_id, user_id, outcome, how, session_id, surface, ip_address, user_agent, request_id)
         SELECT tenant_id, id, 'signed_in', $10::text, $1, $3, $4, $5, $11::text FROM seen WHERE $10 IS NOT NULL
       )
       INSERT INTO sessions (id, user_id, surface, ip_address, user_agent, label, registered, idle_expires_at, absolute_expires_at)
       SELECT $1, id, $3, $4, $5, left(coalesce($7, $5), 100), $9, now() + interval '${IDLE}', now() + interval '${ABSOLUTE}' FROM seen
       RETURNING id`;
    const { surface, ipAddress, userAgent, label = null, registered = false } = client;
    const requestId = currentContext()?.requestId;
    const { method = null, throttleKey, credentialsEpoch } = proof ?? {};
    const values = [
      id,
      userId,
      surface,
      ipAddress,
      userAgent,
      throttleKey,
      label,
      credentialsEpoch,
      registered,
      method,
      requestId,
    ];
    const rows = em
      ? await em.query<object[]>(statement, values)
      : await queryPrepared(this.dataSource, statement, values);
    return rows.length ? id : null;
  }

  /**
   * Starts a session in the caller's transaction, for a user who has proved their identity and can
   * sign in. Returns its id.
   *
   * @throws AppError 403 `account_disabled` if the user is deactivated or does not exist.
   */
  async startSessionForUser(em: EntityManager, userId: string, client: Client, method: SignInMethod): Promise<string> {
    const id = await this.startSession(em, userId, client, { method });
    if (!id) throw accountDisabledError();
    return id;
  }

  /**
   * Issues an access token and a refresh token for a session.
   *
   * @param counter number of refreshes of the session until now; 0 for its first tokens.
   */
  async issueTokens(account: Account, session: { id: string; surface: Surface }, counter = 0): Promise<TokenResponse> {
    return {
      access_token: await this.accessTokens.issueAccessToken(toTokenSubject(account, session)),
      refresh_token: createRefreshToken(this.config.SECRET_KEYS, { sessionId: session.id, counter }),
      token_type: 'bearer',
      expires_in: ACCESS_TOKEN_SECONDS,
    };
  }

  /**
   * Exchanges a refresh token for a new access token and a new refresh token. During the grace
   * period (default 60 s) the same token returns the same successor. So a client can repeat a
   * refresh with a lost answer, and several processes can refresh at the same time. A later reuse
   * ends the session, and so does a refresh for a user who can no longer sign in.
   *
   * @throws AppError 401 `invalid_refresh_token` if the token is malformed, changed or reused too
   * late, if the session has ended, or if its user can no longer sign in; 429 `rate_limited` if the
   * session refreshes too often: 30 times at once, then every 2 s.
   */
  async refreshTokens(token: string): Promise<TokenResponse> {
    const presented = parseRefreshToken(this.config.SECRET_KEYS, token);
    if (!presented) throw SessionErrors.invalidRefreshToken();
    const rotated = await this.rotateToken(presented);
    if (rotated) return this.issueSuccessor(rotated, presented);

    const state = await this.findRotationState(presented);
    if (!state || state.counter < presented.counter) throw SessionErrors.invalidRefreshToken();
    // The token is still the current one, so only the rate limit prevented the rotation.
    if (state.counter === presented.counter) throw Errors.rateLimited(ROTATION_INTERVAL_SECONDS);
    if (state.rotated_ago !== null && state.rotated_ago <= this.config.REFRESH_GRACE_SECONDS)
      return this.issueSuccessor(state, presented);
    await this.endForReuse(presented.sessionId);
    throw SessionErrors.invalidRefreshToken();
  }

  /**
   * Ends the session of a refresh token, also of an earlier one of the session. No error if the
   * token is not valid or the session has ended (RFC 7009 section 2.2).
   */
  async logout(token: string): Promise<void> {
    const presented = parseRefreshToken(this.config.SECRET_KEYS, token);
    if (presented) await this.endSession(presented.sessionId, 'logout');
  }

  private async issueSuccessor(
    account: SessionAccount,
    { sessionId, counter }: RefreshTokenContent,
  ): Promise<TokenResponse> {
    if (!canAuthenticate(account)) {
      await this.endSession(sessionId, 'account_disabled');
      throw SessionErrors.invalidRefreshToken();
    }
    return this.issueTokens(account, { id: sessionId, surface: account.surface }, counter + 1);
  }

  /**
   * Counts a refresh of the session, extends its idle time and returns its account, if the token is
   * the current one. It is one statement: of several requests with the same counter, one succeeds,
   * and a logout that commits first always wins. Undefined if the token is not the current one, or
   * the session has ended or refreshes too often.
   */
  private async rotateToken({ sessionId, counter }: RefreshTokenContent): Promise<SessionAccount | undefined> {
    const [account] = await queryPrepared<SessionAccount>(
      this.dataSource,
      `WITH rotated AS (
         UPDATE sessions SET
           refresh_counter = refresh_counter + 1,
           recent_rotations = (clock_timestamp() || recent_rotations)[1:${REMEMBERED_ROTATIONS}],
           refresh_arrival = greatest(refresh_arrival, clock_timestamp()) + interval '${ROTATION_INTERVAL_SECONDS} seconds',
           idle_expires_at = least(now() + interval '${IDLE}', absolute_expires_at),
           last_seen_at = now()
         WHERE id = $1 AND refresh_counter = $2 AND revoked_at IS NULL AND idle_expires_at > now() AND absolute_expires_at > now()
           AND refresh_arrival <= clock_timestamp() + interval '${ROTATION_BURST_SECONDS - ROTATION_INTERVAL_SECONDS} seconds'
         RETURNING user_id, surface)
       SELECT ${ACCOUNT_COLUMNS}, rotated.surface FROM rotated JOIN users u ON u.id = rotated.user_id ${ACCOUNT_JOINS}`,
      [sessionId, counter],
    );
    return account;
  }

  /** Returns the current state of the session of a refresh token; undefined if it has ended. */
  private async findRotationState({ sessionId, counter }: RefreshTokenContent): Promise<RotationState | undefined> {
    const [state] = await queryPrepared<RotationState>(
      this.dataSource,
      `SELECT ${ACCOUNT_COLUMNS}, s.surface, s.refresh_counter AS counter,
         extract(epoch FROM clock_timestamp() - s.recent_rotations[s.refresh_counter - $2])::float8 AS rotated_ago
       FROM sessions s JOIN users u ON u.id = s.user_id ${ACCOUNT_JOINS}
       WHERE s.id = $1 AND s.revoked_at IS NULL AND s.idle_expires_at > now() AND s.absolute_expires_at > now()`,
      [sessionId, counter],
    );
    return state;
  }

  private async endForReuse(sessionId: string): Promise<void> {
    await this.endSession(sessionId, 'refresh_reuse');
    currentContext()?.log.warn(
      { session_id: sessionId },
      'a refresh token was used again after its grace period; the session is revoked',
    );
  }

  /**
   * Ends the sessions of a user in the caller's transaction, except the kept ones. Also invalidates
   * everything that could start a session or prove a login: pending logins, one-time codes,
   * approvals, known devices. API keys stay. Called for a changed password, a password reset, a
   * deactivation and a sign-out everywhere.
   *
   * @returns the ids of the ended sessions; pass them to `notifyEnded` after the commit. Empty if
   * there are none.
   */
  async endUserSessions(em: EntityManager, userId: string, reason: string, kept: KeptSessions = {}): Promise<string[]> {
    return (await this.endAndListUserSessions(em, userId, reason, kept)).map(({ id }) => id);
  }

  /**
   * Does the same as `endUserSessions`, and returns the ended sessions with the surface of each:
   * `web`, `cli` or `api`.
   */
  async endAndListUserSessions(
    em: EntityManager,
    userId: string,
    reason: string,
    kept: KeptSessions = {},
  ): Promise<EndedSession[]> {
    // First statement, for the lock on the user's row: see `startSession`.
    const [[user]] = await em.query<[{ tenant_id: string }[], number]>(
      'UPDATE users SET credentials_epoch = credentials_epoch + 1 WHERE id = $1 RETURNING tenant_id',
      [userId],
    );
    const [rows] = await em.query<[EndedSession[], number]>(
      `UPDATE sessions SET revoked_at = now(), revoked_reason = $2
       WHERE user_id = $1 AND revoked_at IS NULL AND idle_expires_at > now() AND absolute_expires_at > now() AND id IS DISTINCT FROM $3 AND surface IS DISTINCT FROM $4
       RETURNING ${ENDED}`,
      [userId, reason, kept.except ?? null, kept.surface ?? null],
    );
    for (const { id } of rows) if (user) await publishEnd(em, { id, user_id: userId, ...user }, reason);
    return rows;
  }

  /**
   * Notifies every process of the gateway about ended sessions, so that it refuses them at once.
   */
  async notifyEnded(ids: readonly string[]): Promise<void> {
    if (ids.length) await this.broadcast.publish(SESSION_ENDED, ids);
  }

  /**
   * Records that a session was used, at most once a minute, and extends its idle time to 30 days
   * from now, but not beyond its absolute end. Does nothing for a revoked or expired session.
   */
  async recordUse(sessionId: string): Promise<void> {
    await this.dataSource.query(
      `UPDATE sessions SET last_seen_at = now(), idle_expires_at = least(now() + interval '${IDLE}', absolute_expires_at)
       WHERE id = $1 AND last_seen_at < now() - interval '60 seconds' AND revoked_at IS NULL AND idle_expires_at > now()`,
      [sessionId],
    );
  }

  /**
   * Ends a session, with an audit entry and the event `session.ended`, and notifies every process.
   * Safe to retry: it only notifies if the session was ended already or does not exist. An expired
   * session still gets the entry and the event.
   */
  async endSession(sessionId: string, reason: string): Promise<void> {
    await this.dataSource.transaction(async (em) => {
      await em.query('SELECT FROM users u JOIN sessions s ON s.user_id = u.id WHERE s.id = $1 FOR KEY SHARE OF u', [
        sessionId,
      ]); // locks the user before the session, like account deletion
      const [rows] = await em.query<[{ user_id: string; tenant_id: string }[], number]>(
        `UPDATE sessions SET revoked_at = now(), revoked_reason = $2 FROM users u
         WHERE sessions.id = $1 AND u.id = user_id AND revoked_at IS NULL RETURNING user_id, tenant_id`,
        [sessionId, reason],
      );
      if (!rows[0]) return;
      const { user_id: userId, tenant_id: tenantId } = rows[0];
      const byOwner = reason === 'logout' && { actor: { type: 'user', id: userId } as const };
      await publishEnd(em, { id: sessionId, ...rows[0] }, reason);
      const metadata = { user_id: userId };
      await recordAudit(em, {
        action: `session.${reason}`,
        target: { type: 'session', id: sessionId },
        tenantId,
        metadata,
        ...byOwner,
      });
    });
    await this.notifyEnded([sessionId]);
  }
}

const publishEnd = (
  em: EntityManager,
  ended: { id: string; user_id: string; tenant_id: string },
  reason: string,
): Promise<boolean> =>
  publishEvent(em, {
    type: 'session.ended',
    tenantId: ended.tenant_id,
    userId: ended.user_id,
    data: { session_id: ended.id, reason },
  });
