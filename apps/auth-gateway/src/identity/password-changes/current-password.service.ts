import { Injectable } from '@nestjs/common';
import type { Row } from '@platform/persistence';
import { Errors } from '@platform/platform';
import { DataSource } from 'typeorm';
import { User } from '../accounts/user.entity.js';
import { LoginThrottling } from '../login/login-throttling.js';
import { Passwords } from '../passwords/passwords.service.js';
import { PasswordErrors } from './passwords.errors.js';

type Account = Row<User, 'tenantId' | 'emailCanonical' | 'passwordHash'>;

/** Asks people who are signed in for their password again, before a thief of their session could do harm for good. */
@Injectable()
export class CurrentPasswordService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly throttle: LoginThrottling,
    private readonly passwords: Passwords,
  ) {}

  /**
   * Wrong ones count by account, apart from those at login: else a stranger's guesses there would keep the owner out here. Returns the hash of the password.
   *
   * @throws AppError 400 `password.current_invalid`, also for an account without a password; 429 after too many wrong ones.
   */
  async assert(userId: string, password: string): Promise<string | null> {
    const [account] = await this.dataSource.query<Account[]>('SELECT tenant_id, email_canonical, password_hash FROM users WHERE id = $1', [
      userId,
    ]);
    if (!account) throw PasswordErrors.currentPasswordInvalid();
    const key = this.throttle.key(account.tenant_id, account.email_canonical, 'change-password');
    const blockedSeconds = await this.throttle.blockedFor(key);
    if (blockedSeconds > 0) throw Errors.rateLimited(blockedSeconds);
    if (!(await this.passwords.verify(account.password_hash, password))) {
      if (await this.throttle.recordFailure(key, null)) throw PasswordErrors.currentPasswordInvalid();
      throw Errors.rateLimited(1);
    }
    if (!(await this.throttle.recordSuccess(key))) throw Errors.rateLimited(1);
    return account.password_hash;
  }
}
