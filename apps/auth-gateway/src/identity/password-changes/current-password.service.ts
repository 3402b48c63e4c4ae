import { Injectable } from '@nestjs/common';
import type { Row } from '@platform/persistence';
import { Errors } from '@platform/platform';
import { DataSource } from 'typeorm';
import { User } from '../accounts/user.entity.js';
import { LoginThrottlingService } from '../login/login-throttling.service.js';
import { PasswordsService } from '../passwords/passwords.service.js';
import { PasswordErrors } from './passwords.errors.js';

type Account = Row<User, 'tenantId' | 'emailCanonical' | 'passwordHash'>;

/**
 * Asks signed-in users for their password again before a dangerous action, in case the session was
 * stolen.
 */
@Injectable()
export class CurrentPasswordService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly throttle: LoginThrottlingService,
    private readonly passwords: PasswordsService,
  ) {}

  /**
   * Checks the current password of a user and returns its hash. Wrong passwords count per account
   * until a correct one, separately from those at login: otherwise strangers could lock the owner
   * out here by guessing there.
   *
   * @throws AppError 400 `password.current_invalid` if it is wrong or the account has no password;
   * 429 `rate_limited` for a growing time after five wrong passwords in a row; 503 if too many
   * passwords wait to be checked.
   */
  async assertCurrentPassword(userId: string, password: string): Promise<string | null> {
    const [account] = await this.dataSource.query<Account[]>(
      'SELECT tenant_id, email_canonical, password_hash FROM users WHERE id = $1',
      [userId],
    );
    if (!account) throw PasswordErrors.currentPasswordInvalid();
    const key = this.throttle.makeThrottleKey(account.tenant_id, account.email_canonical, 'change-password');
    const blockedSeconds = await this.throttle.getBlockedSeconds(key);
    if (blockedSeconds > 0) throw Errors.rateLimited(blockedSeconds);
    if (!(await this.passwords.verifyPassword(account.password_hash, password))) {
      if (await this.throttle.recordFailure(key, null)) throw PasswordErrors.currentPasswordInvalid();
      throw Errors.rateLimited(1);
    }
    if (!(await this.throttle.recordSuccess(key))) throw Errors.rateLimited(1);
    return account.password_hash;
  }
}
