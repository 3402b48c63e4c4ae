import { Inject, Injectable } from '@nestjs/common';
import type { LoginRequest, LoginResponse } from '@platform/contracts';
import { queryPrepared } from '@platform/persistence';
import { Errors } from '@platform/platform';
import { DataSource } from 'typeorm';
import { Passwords } from '../passwords/passwords.service.js';
import { ACCOUNT_COLUMNS, ACCOUNT_JOINS, type Account } from '../sessions/account.js';
import type { Client } from '../sessions/client.js';
import { Sessions } from '../sessions/sessions.service.js';
import { assertCanAuthenticate, emailNotVerified } from '../users/can-authenticate.js';
import { IS_PENDING } from '../pending-signups/pending-credentials.js';
import { KnownDevices } from './known-devices.js';
import { LoginErrors } from './login.errors.js';
import { LoginThrottle } from './login-throttle.js';

type AccountWithPassword = Account & { password_hash: string | null };

/** `pending_hash`: of the latest signup with the address, where nobody has confirmed it. */
type CandidateRow = { blocked: number; pending_hash: string | null } & (AccountWithPassword | { user_id: null });

interface Candidate {
  account: AccountWithPassword | null;
  /** What the password is checked against. */
  passwordHash: string | null;
  /** Seconds until the next try is allowed; 0 when it is now. */
  blockedSeconds: number;
}

@Injectable()
export class LoginService {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(Passwords) private readonly passwords: Passwords,
    @Inject(LoginThrottle) private readonly throttle: LoginThrottle,
    @Inject(KnownDevices) private readonly devices: KnownDevices,
    @Inject(Sessions) private readonly sessions: Sessions,
  ) {}

  /**
   * Signs in with a password. An address that nobody has and a wrong password get the same answer after the same work; the state of an
   * account shows only to who knows its password.
   *
   * @throws AppError 401 `invalid_credentials`, 403 `email_not_verified`, `account_disabled` or `auth_method_not_allowed`, 429 after too many wrong passwords.
   */
  async login({ email, password, tenant_id, device_token }: LoginRequest, client: Client): Promise<LoginResponse> {
    const owner = { tenant_id, email };
    const device = this.devices.read(device_token, owner);
    const throttleKey = this.throttle.key(tenant_id, email, device ?? '');
    const { account, passwordHash, blockedSeconds } = await this.candidate(tenant_id, email, throttleKey);
    if (blockedSeconds > 0) throw Errors.rateLimited(blockedSeconds);
    const matches = await this.passwords.verify(passwordHash, password);
    if (!matches) {
      if (await this.throttle.recordFailure(throttleKey)) throw LoginErrors.invalidCredentials();
      throw Errors.rateLimited(1);
    }
    if (!account) throw emailNotVerified();
    assertCanAuthenticate(account, 'email');
    const sessionId = await this.sessions.begin(null, account.user_id, client, { passwordHash: account.password_hash, throttleKey });
    if (!sessionId) throw Errors.rateLimited(1);
    await this.rehash(account, password);
    const tokens = await this.sessions.tokens(account, { id: sessionId, surface: client.surface });
    return Object.assign(tokens, { device_token: this.devices.issue(owner, device ?? undefined) });
  }

  /** All that the decision needs, in one statement. */
  private async candidate(tenantId: string, email: string, throttleKey: Buffer): Promise<Candidate> {
    const [row] = (await queryPrepared<CandidateRow>(
      this.dataSource,
      `SELECT a.*,
         coalesce((SELECT extract(epoch FROM blocked_until - now()) FROM login_throttles WHERE key = $3), 0)::float8 AS blocked,
         (SELECT p.password_hash FROM pending_credentials p
          WHERE p.tenant_id = $1 AND p.email = $2 AND ${IS_PENDING} ORDER BY p.created_at DESC, p.id DESC LIMIT 1) AS pending_hash
       FROM (VALUES (1)) AS always
       LEFT JOIN LATERAL (
         SELECT ${ACCOUNT_COLUMNS}, u.password_hash FROM users u ${ACCOUNT_JOINS} WHERE u.tenant_id = $1 AND u.email_canonical = $2
       ) AS a ON true`,
      [tenantId, email, throttleKey],
    )) as [CandidateRow];
    const isPending = row.pending_hash !== null && (row.user_id === null || !row.email_verified_at);
    const account = row.user_id === null || isPending ? null : row;
    return { account, passwordHash: isPending ? row.pending_hash : (account?.password_hash ?? null), blockedSeconds: row.blocked };
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
