import { Inject, Injectable } from '@nestjs/common';
import type {
  DeviceApproveRequest,
  DeviceApproveResponse,
  DeviceLookupRequest,
  DeviceLookupResponse,
} from '@platform/contracts';
import { RateLimiter, type UserCaller } from '@platform/guards';
import { columns, type RowOf } from '@platform/persistence';
import { currentContext, Errors } from '@platform/platform';
import { DataSource, type EntityManager } from 'typeorm';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import { CONFIG, type Config } from '../../config.js';
import type { ActingUser } from '../credentials/gateway-credentials.service.js';
import { accountDisabledError } from '../accounts/can-authenticate.js';
import { CliLoginErrors } from './cli-login.errors.js';
import { UserCodeLimits } from './cli-login.limits.js';
import { DeviceCode } from './device-code.entity.js';
import { hashWithAllKeys, formatUserCode } from './user-codes.js';

const ASKING = columns(DeviceCode, ['label', 'ipAddress', 'userAgent', 'createdAt', 'expiresAt']);
type Asking = RowOf<typeof ASKING>;

type KnownCode = Asking & { is_pending: boolean; is_expired: boolean };

/**
 * Shows a user the device that asks for a login with a user code, and approves or denies the login.
 */
@Injectable()
export class DeviceApprovalsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly limiter: RateLimiter,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Returns details of the pending login with this user code. The user sees them before they
   * decide, because a stranger may have sent them the code (RFC 8628 section 5.4).
   *
   * @throws AppError 404 `device_code.not_found` if there is no such code or another user has
   * decided; 409 `device_code.already_processed` if this user has decided; 410
   * `device_code.expired` after ten minutes; 429 after ten failed attempts of the user in 15
   * minutes, or a hundred of all users in a minute.
   */
  lookUpDevice(user: UserCaller, { user_code }: DeviceLookupRequest): Promise<DeviceLookupResponse> {
    return this.limitAttempts(user, async () => {
      const { is_pending, is_expired, ...asking } = await this.findLogin(user, user_code);
      if (is_expired) throw CliLoginErrors.userCodeExpired();
      if (!is_pending) throw CliLoginErrors.alreadyProcessed();
      return { status: 'pending', user_code: formatUserCode(user_code), ...asking };
    });
  }

  /**
   * Approves or denies the login with this user code. After an approval, the device can sign in as
   * the user. If an approval and a denial happen at the same time, one of them wins. Writes an
   * audit entry.
   *
   * @throws AppError 404, 409, 410 and 429 like `lookUpDevice`; 403 `account_disabled` if the user
   * or the tenant was deactivated; then the login stays pending.
   */
  decideLogin(user: ActingUser, { user_code, action }: DeviceApproveRequest): Promise<DeviceApproveResponse> {
    return this.limitAttempts(user, async () => {
      const status = action === 'deny' ? 'denied' : 'approved';
      const decided = await this.dataSource.transaction((em) => this.recordDecision(em, user, user_code, status));
      if (decided)
        return { status, label: decided.label, ip_address: decided.ip_address, user_agent: decided.user_agent };
      const { is_expired } = await this.findLogin(user, user_code);
      throw is_expired ? CliLoginErrors.userCodeExpired() : CliLoginErrors.alreadyProcessed();
    });
  }

  private async recordDecision(
    em: EntityManager,
    user: ActingUser,
    userCode: string,
    status: string,
  ): Promise<Asking | undefined> {
    const [rows] = await em.query<[Asking[], number]>(
      `UPDATE device_codes SET status = $2, user_id = $3, credentials_epoch = $4 WHERE user_code_hash = ANY ($1) AND status = 'pending' AND expires_at > now()
       RETURNING ${ASKING}`,
      [this.hashes(userCode), status, user.userId, user.credentialsEpoch],
    );
    const decided = rows[0];
    if (!decided) return undefined;
    // The locks order this statement and a deactivation of the tenant: either the deactivation
    // finds the approval, or this statement finds the tenant inactive. For the user, the epoch
    // invalidates it.
    const [usable] = await em.query<unknown[]>(
      'SELECT 1 FROM users u JOIN tenants t ON t.id = u.tenant_id WHERE u.id = $1 AND u.is_active AND t.is_active FOR SHARE',
      [user.userId],
    );
    if (!usable) throw accountDisabledError();
    const metadata = { label: decided.label, ip_address: decided.ip_address, user_agent: decided.user_agent };
    const target = { type: 'user', id: user.userId };
    await recordAudit(em, { action: `device_login.${status}`, target, tenantId: user.tenantId, metadata });
    return decided;
  }

  /**
   * Finds a login by its user code, pending, decided or expired. A decided one is visible only to
   * the user who decided it.
   *
   * @throws AppError 404 `device_code.not_found` if there is none.
   */
  private async findLogin({ userId }: UserCaller, userCode: string): Promise<KnownCode> {
    const [code] = await this.dataSource.query<KnownCode[]>(
      `SELECT ${ASKING}, status = 'pending' AS is_pending, expires_at <= now() AS is_expired FROM device_codes
       WHERE user_code_hash = ANY ($1) AND (user_id IS NULL OR user_id = $2)`,
      [this.hashes(userCode), userId],
    );
    if (!code) throw CliLoginErrors.userCodeNotFound();
    return code;
  }

  private hashes(userCode: string): Buffer[] {
    return hashWithAllKeys(this.config.SECRET_KEYS, userCode);
  }

  /**
   * Runs an attempt to use a user code, and returns its result. Each attempt counts for the limits
   * of the user and of all users before it runs. One that succeeds does not count. Above a limit,
   * it logs a warning and writes an audit entry, at most one per user in 15 minutes.
   *
   * @throws AppError 429 `rate_limited` above a limit; the error of the attempt.
   */
  private async limitAttempts<T>({ userId, tenantId }: UserCaller, attempt: () => Promise<T>): Promise<T> {
    const limits = [
      [UserCodeLimits.person, userId],
      [UserCodeLimits.everybody, 'all'],
    ] as const;
    for (const [policy, key] of limits) {
      const { allowed, retryAfterSeconds } = await this.limiter.consume(policy, key);
      if (allowed) continue;
      currentContext()?.log.warn({ user_id: userId, limit: policy.name }, 'too many wrong user codes');
      // The audit log gets only one entry per period, so that further guesses do not fill it.
      if ((await this.limiter.consume(UserCodeLimits.audit, userId)).allowed) {
        await recordAudit(this.dataSource.manager, {
          action: 'device_login.guessing',
          target: { type: 'user', id: userId },
          tenantId,
        });
      }
      throw Errors.rateLimited(retryAfterSeconds);
    }
    const result = await attempt();
    for (const [policy, key] of limits) await this.limiter.refund(policy, key);
    return result;
  }
}
