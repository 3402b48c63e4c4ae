import { Inject, Injectable } from '@nestjs/common';
import type { LoginRequest, TokenResponse } from '@platform/contracts';
import { queryPrepared } from '@platform/persistence';
import { Errors } from '@platform/platform';
import { DataSource } from 'typeorm';
import { Passwords } from '../passwords/passwords.service.js';
import { ACCOUNT_COLUMNS, ACCOUNT_JOINS, type Account } from '../sessions/account.js';
import type { Client } from '../sessions/client.js';
import { Sessions } from '../sessions/sessions.service.js';
import { assertCanAuthenticate } from '../users/can-authenticate.js';
import { canonicalEmail } from '../users/email.js';
import { LoginErrors } from './login.errors.js';
import { LoginThrottle } from './login-throttle.js';

type AccountWithPassword = Account & { password_hash: string | null };

type CandidateRow = { account_blocked: number; device_blocked: number; known: boolean } & (AccountWithPassword | { user_id: null });

interface Candidate {
  account: AccountWithPassword | null;
  throttleKey: Buffer;
  /** Seconds until the next try is allowed; 0 when it is now. */
  blockedSeconds: number;
}

const DEVICE_REMEMBERED = '90 days';

@Injectable()
export class LoginService {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(Passwords) private readonly passwords: Passwords,
    @Inject(LoginThrottle) private readonly throttle: LoginThrottle,
    @Inject(Sessions) private readonly sessions: Sessions,
  ) {}

  /**
   * Signs in with a password. An address that nobody has and a wrong password get the same answer after the same work; the state of an
   * account shows only to who knows its password.
   *
   * @throws AppError 401 `invalid_credentials`, 403 `email_not_verified`, `account_disabled` or `auth_method_not_allowed`, 429 after too many wrong passwords.
   */
  async login({ email, password, tenant_id }: LoginRequest, client: Client): Promise<TokenResponse> {
    const { account, throttleKey, blockedSeconds } = await this.candidate(tenant_id, canonicalEmail(email), client);
    if (blockedSeconds > 0) throw Errors.rateLimited(blockedSeconds);
    const matches = await this.passwords.verify(account?.password_hash ?? null, password);
    if (!account || !matches) {
      if (await this.throttle.recordFailure(throttleKey)) throw LoginErrors.invalidCredentials();
      throw Errors.rateLimited(1);
    }
    assertCanAuthenticate(account, 'email');
    const sessionId = await this.sessions.begin(null, account.user_id, client, { passwordHash: account.password_hash, throttleKey });
    if (!sessionId) throw Errors.rateLimited(1);
    await this.rehash(account, password);
    return this.sessions.tokens(account, { id: sessionId, surface: client.surface });
  }

  /** All that the decision needs, in one statement. */
  private async candidate(tenantId: string, email: string, client: Client): Promise<Candidate> {
    const accountKey = this.throttle.key(tenantId, email);
    const deviceKey = this.throttle.key(tenantId, email, client.ipBucket);
    const [row] = (await queryPrepared<CandidateRow>(
      this.dataSource,
      `SELECT a.*, coalesce(a.known_device, false) AS known,
         coalesce((SELECT extract(epoch FROM blocked_until - now()) FROM login_throttles WHERE key = $3), 0)::float8 AS account_blocked,
         coalesce((SELECT extract(epoch FROM blocked_until - now()) FROM login_throttles WHERE key = $4), 0)::float8 AS device_blocked
       FROM (VALUES (1)) AS always
       LEFT JOIN LATERAL (
         SELECT ${ACCOUNT_COLUMNS}, u.password_hash,
           EXISTS (SELECT 1 FROM sessions s WHERE s.user_id = u.id AND s.ip_bucket = $5 AND NOT s.registered AND s.created_at > now() - interval '${DEVICE_REMEMBERED}') AS known_device
         FROM users u ${ACCOUNT_JOINS} WHERE u.tenant_id = $1 AND u.email_canonical = $2
       ) AS a ON true`,
      [tenantId, email, accountKey, deviceKey, client.ipBucket],
    )) as [CandidateRow];
    return {
      account: row.user_id === null ? null : row,
      throttleKey: row.known ? deviceKey : accountKey,
      blockedSeconds: row.known ? row.device_blocked : row.account_blocked,
    };
  }

  /** Brings a hash of older parameters up to date while the password is at hand. */
  private async rehash({ user_id, password_hash }: { user_id: string; password_hash: string | null }, password: string): Promise<void> {
    if (!password_hash || !this.passwords.needsRehash(password_hash)) return;
    const fresh = await this.passwords.hash(password);
    await this.dataSource.query('UPDATE users SET password_hash = $3 WHERE id = $1 AND password_hash = $2', [
      user_id,
      password_hash,
      fresh,
    ]);
  }
}
