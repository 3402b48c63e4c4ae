import { Injectable } from '@nestjs/common';
import type {
  RegisterSessionRequest,
  RevokeOtherSessionsResponse,
  RevokeSessionResponse,
  SessionIdResponse,
  SessionListResponse,
  SessionResponse,
  SessionValidResponse,
} from '@platform/contracts';
import { QuotasService, userOf, type Caller, type UserCaller } from '@platform/guards';
import { columns, type Row, type RowOf } from '@platform/persistence';
import { ValidationFailed } from '@platform/platform';
import { DataSource } from 'typeorm';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import { HOUR, policy } from '../../kernel/rate-limits.js';
import { UserErrors } from '../accounts/users.errors.js';
import type { Client } from './client.js';
import { Session } from './session.entity.js';
import { SessionErrors } from './sessions.errors.js';
import { MAX_LIVE_SESSIONS, SessionsService } from './sessions.service.js';
import { ACCOUNT_IS_USABLE, SESSION_IS_ALIVE } from './signed-in-users.service.js';

const LISTED = columns(
  Session,
  ['id AS session_id', 'label', 'surface', 'ipAddress', 'userAgent', 'createdAt', 'lastSeenAt'],
  's',
);
type Listed = RowOf<typeof LISTED> & Pick<SessionResponse, 'expires_at'>;

/** Sessions that can be registered for one user per hour, by the user and by backends together. */
const REGISTERED_LIMIT = policy('register-session-user', 30, HOUR);

type Validity = { valid: boolean } & Row<Session, 'revokedAt'>;

/** Lists, ends and registers the sessions of a user. */
@Injectable()
export class UserSessionsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sessions: SessionsService,
    private readonly quotas: QuotasService,
  ) {}

  /**
   * Lists the active sessions of the user, last seen first; `current` marks the caller's. A user
   * has at most 75 of them (`SessionsService.startSession`).
   */
  async listSessions({ userId, sessionId }: UserCaller): Promise<SessionListResponse> {
    const rows = await this.dataSource.query<Listed[]>(
      `SELECT ${LISTED}, least(s.idle_expires_at, s.absolute_expires_at) AS expires_at
       FROM sessions s WHERE s.user_id = $1 AND ${SESSION_IS_ALIVE} ORDER BY s.last_seen_at DESC, s.id DESC LIMIT ${MAX_LIVE_SESSIONS}`,
      [userId],
    );
    return { sessions: rows.map((row) => ({ ...row, current: row.session_id === sessionId })) };
  }

  /**
   * Ends a session of the user. Safe to retry: an ended session gives the same answer.
   *
   * @throws AppError 404 `session.not_found` if the user has no such session.
   */
  async revokeSession({ userId }: UserCaller, sessionId: string): Promise<RevokeSessionResponse> {
    const [own] = await this.dataSource.query<unknown[]>('SELECT 1 FROM sessions WHERE id = $1 AND user_id = $2', [
      sessionId,
      userId,
    ]);
    if (!own) throw SessionErrors.notFound();
    await this.sessions.endSession(sessionId, 'revoked');
    return { status: 'revoked', session_id: sessionId };
  }

  /**
   * Ends all sessions of the user except the caller's, and returns their number; all of them if the
   * caller has no session, as a backend that acts for the user. Pending logins, one-time codes and
   * known devices of the user become invalid, too.
   */
  async revokeOtherSessions({ userId, tenantId, sessionId }: UserCaller): Promise<RevokeOtherSessionsResponse> {
    const ids = await this.dataSource.transaction(async (em) => {
      const ended = await this.sessions.endUserSessions(em, userId, 'revoked', { except: sessionId });
      const metadata = { sessions_ended: ended.length };
      await recordAudit(em, {
        action: 'session.others_revoked',
        target: { type: 'user', id: userId },
        tenantId,
        metadata,
      });
      return ended;
    });
    await this.sessions.notifyEnded(ids);
    return { revoked: ids.length };
  }

  /**
   * Registers a session that has no tokens of ours. Not safe to retry: each call registers another
   * session. A login never evicts registered sessions. A user has at most 25 of them; a new one
   * replaces the one that was idle longest.
   *
   * @throws ValidationFailed if a backend that acts for no user does not name one, or if a user
   * names another user.
   * @throws AppError 404 `user.not_found` if the user does not exist or is deactivated; 429 above
   * 30 registered sessions of the user per hour, by any caller.
   */
  async registerSession(caller: Caller, request: RegisterSessionRequest, client: Client): Promise<SessionIdResponse> {
    const userId = namedUser(caller, request.user_id);
    await this.quotas.consume(REGISTERED_LIMIT, userId);
    const sessionId = await this.sessions.startSession(null, userId, {
      registered: true,
      surface: request.surface,
      label: request.label ?? null,
      ipAddress: request.ip_address ?? client.ipAddress,
      userAgent: request.user_agent ?? client.userAgent,
    });
    if (!sessionId) throw UserErrors.notFound();
    return { session_id: sessionId };
  }

  /**
   * Tells if a session can still be used: `valid` is false if it has ended or its user can no
   * longer sign in. The check counts as use, at most once a minute, so that a registered session
   * that is checked does not become idle.
   *
   * @throws AppError 404 `session.not_found` if the session does not exist, or belongs to another
   * user. A backend that acts for no user can check every session.
   */
  async checkSessionValidity(caller: Caller, sessionId: string): Promise<SessionValidResponse> {
    const user = userOf(caller);
    const [row] = await this.dataSource.query<Validity[]>(
      `SELECT ${SESSION_IS_ALIVE} AND ${ACCOUNT_IS_USABLE} AS valid, s.revoked_at
       FROM sessions s JOIN users u ON u.id = s.user_id JOIN tenants t ON t.id = u.tenant_id
       WHERE s.id = $1 AND ($2::text IS NULL OR s.user_id = $2)`,
      [sessionId, user?.userId ?? null],
    );
    if (!row) throw SessionErrors.notFound();
    if (row.valid) await this.sessions.recordUse(sessionId);
    return { valid: row.valid, session_id: sessionId, revoked_at: row.revoked_at };
  }
}

function namedUser(caller: Caller, named: string | undefined): string {
  const user = userOf(caller);
  const issue = (msg: string, type: string) => new ValidationFailed([{ loc: ['body', 'user_id'], msg, type }]);
  if (user && named !== undefined && named !== user.userId)
    throw issue('Only a backend without an acting user can name another user', 'value_error');
  if (user) return user.userId;
  if (named === undefined) throw issue('Field required', 'missing');
  return named;
}
