import { Injectable } from '@nestjs/common';
import type { LoginRequest, LoginResponse } from '@platform/contracts';
import { columns, queryPrepared, type RowOf } from '@platform/persistence';
import { Errors } from '@platform/platform';
import { DataSource } from 'typeorm';
import { checkSignIn } from '../sign-ins/failed-sign-ins.js';
import { PasswordsService } from '../passwords/passwords.service.js';
import { ACCOUNT_COLUMNS, ACCOUNT_JOINS, type Account } from '../sessions/signed-in-account.js';
import type { Client } from '../sessions/client.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { assertCanAuthenticate, emailNotVerifiedError } from '../accounts/can-authenticate.js';
import { User } from '../accounts/user.entity.js';
import { IS_PENDING } from '../pending-signups/pending-credentials.js';
import { KnownDevicesService } from './known-devices.service.js';
import { LoginErrors } from './login.errors.js';
import { LoginThrottlingService } from './login-throttling.service.js';

const PASSWORD = columns(User, ['passwordHash'], 'u');
type AccountWithPassword = Account & RowOf<typeof PASSWORD>;

/**
 * `pending_hash`: password hash of the latest signup with the address, if the address is not
 * confirmed.
 */
type CandidateRow = { blocked: number; blocked_on_device: number; pending_hash: string | null } & (
  AccountWithPassword | { user_id: null }
);

interface Candidate {
  account: AccountWithPassword | null;
  /** Hash to check the password against; null: no password is correct. */
  passwordHash: string | null;
  /** Key under which failures are counted: the account, or the account on a known device. */
  throttleKey: Buffer;
  /** Seconds until the next attempt is allowed; 0 if it is allowed now. */
  blockedSeconds: number;
  device: string | null;
}

@Injectable()
export class LoginService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly passwords: PasswordsService,
    private readonly throttle: LoginThrottlingService,
    private readonly devices: KnownDevicesService,
    private readonly sessions: SessionsService,
  ) {}

  /**
   * Signs in with a password. Returns the tokens of a new session, and a `device_token` that proves
   * at the next login that the device is known. An unknown address and a wrong password get the
   * same answer after the same work. The state of an account is revealed only after a correct
   * password.
   *
   * @throws AppError 401 `invalid_credentials` for an unknown address or a wrong password; 403
   * `email_not_verified` if the address is not confirmed, `account_disabled` if the user or the
   * tenant is deactivated, `auth_method_not_allowed` if the tenant allows no passwords; 429
   * `rate_limited` while wrong passwords block the account, or if the account changes during the
   * login; 503 if too many passwords wait to be checked.
   */
  async login({ email, password, tenant_id, device_token }: LoginRequest, client: Client): Promise<LoginResponse> {
    const { account, passwordHash, throttleKey, blockedSeconds, device } = await this.loadCandidate(
      tenant_id,
      email,
      device_token,
    );
    if (blockedSeconds > 0) throw Errors.rateLimited(blockedSeconds);
    const matches = await this.passwords.verifyPassword(passwordHash, password);
    if (!matches) {
      const failed = {
        tenantId: tenant_id,
        userId: account?.user_id ?? null,
        reason: account ? 'wrong_password' : 'unknown_account',
        client,
      };
      if (await this.throttle.recordFailure(throttleKey, failed)) throw LoginErrors.invalidCredentials();
      throw Errors.rateLimited(1);
    }
    if (!account) throw emailNotVerifiedError();
    await checkSignIn(this.dataSource, { tenantId: tenant_id, userId: account.user_id, client }, () =>
      assertCanAuthenticate(account, 'email'),
    );
    const sessionId = await this.sessions.startSession(null, account.user_id, client, {
      method: 'password',
      credentialsEpoch: account.credentials_epoch,
      throttleKey,
    });
    if (!sessionId) throw Errors.rateLimited(1);
    await this.rehash(account, password);
    const tokens = await this.sessions.issueTokens(account, { id: sessionId, surface: client.surface });
    return Object.assign(tokens, { device_token: this.devices.issueDeviceToken(account, device ?? undefined) });
  }

  /**
   * Loads the account with this address, the hash to check the password against, and the block
   * after wrong passwords, all in one statement. `account` is null for an unknown address and for a
   * signup that waits for confirmation.
   */
  private async loadCandidate(tenantId: string, email: string, deviceToken: string | undefined): Promise<Candidate> {
    const claim = this.devices.parseDeviceToken(deviceToken);
    const accountKey = this.throttle.makeThrottleKey(tenantId, email);
    const deviceKey = this.throttle.makeThrottleKey(tenantId, email, claim?.device);
    const blocked = (key: string) =>
      `coalesce((SELECT extract(epoch FROM blocked_until - now()) FROM login_throttles WHERE key = ${key}), 0)::float8`;
    const [row] = (await queryPrepared<CandidateRow>(
      this.dataSource,
      `SELECT a.*,
         ${blocked('$3')} AS blocked, ${blocked('$4')} AS blocked_on_device,
         (SELECT p.password_hash FROM pending_credentials p
          WHERE p.tenant_id = $1 AND p.email = $2 AND ${IS_PENDING} ORDER BY p.created_at DESC, p.id DESC LIMIT 1) AS pending_hash
       FROM (VALUES (1)) AS always
       LEFT JOIN LATERAL (
         SELECT ${ACCOUNT_COLUMNS}, ${PASSWORD} FROM users u ${ACCOUNT_JOINS} WHERE u.tenant_id = $1 AND u.email_canonical = $2
       ) AS a ON true`,
      [tenantId, email, accountKey, deviceKey],
    )) as [CandidateRow];
    const account = row.user_id === null ? null : row;
    const device = this.devices.verifyDevice(claim, account);
    return {
      account,
      passwordHash: account ? account.password_hash : row.pending_hash,
      ...(device
        ? { throttleKey: deviceKey, blockedSeconds: row.blocked_on_device }
        : { throttleKey: accountKey, blockedSeconds: row.blocked }),
      device,
    };
  }

  /**
   * Replaces a password hash that has older parameters, while the password is known. Does nothing
   * for a current hash.
   */
  private async rehash({ user_id, password_hash }: AccountWithPassword, password: string): Promise<void> {
    if (!password_hash || !this.passwords.needsRehash(password_hash)) return;
    const fresh = await this.passwords.hashPassword(password);
    await this.dataSource.query('UPDATE users SET password_hash = $3 WHERE id = $1 AND password_hash = $2', [
      user_id,
      password_hash,
      fresh,
    ]);
  }
}
