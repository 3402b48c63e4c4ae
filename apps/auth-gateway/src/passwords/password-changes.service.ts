import { Inject, Injectable } from '@nestjs/common';
import type { ChangePasswordRequest, ForgotPasswordRequest, MessageResponse, ResetPasswordRequest } from '@platform/contracts';
import { Jobs } from '@platform/messaging';
import { Outbox } from '@platform/persistence';
import { Errors } from '@platform/platform';
import { DataSource, type EntityManager } from 'typeorm';
import { recordAudit } from '../audit/record-audit.js';
import { LoginThrottle } from '../login/login-throttle.js';
import { MailErrors } from '../mail/mail.errors.js';
import { mailQueue } from '../mail/mail.jobs.js';
import { MailRequests } from '../mail/mail-requests.js';
import { consumeMailToken, findMailToken } from '../mail/mail-tokens.js';
import type { SignedInUser } from '../sessions/signed-in-users.js';
import { Sessions } from '../sessions/sessions.service.js';
import { canonicalEmail } from '../users/email.js';
import { PasswordPolicy } from './password-policy.js';
import { PasswordErrors } from './passwords.errors.js';
import { Passwords } from './passwords.service.js';

const FORGOT_MESSAGE = 'If there is an account for this address, a mail with a link is on its way.';

interface Person {
  id: string;
  tenant_id: string;
  email: string;
  first_name: string | null;
  last_name: string | null;
}

/** New passwords: by the old one, or by a mailed link. Either ends what anybody may have begun with the old one. */
@Injectable()
export class PasswordChanges {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(Outbox) private readonly outbox: Outbox,
    @Inject(Jobs) private readonly jobs: Jobs,
    @Inject(MailRequests) private readonly mailRequests: MailRequests,
    @Inject(LoginThrottle) private readonly throttle: LoginThrottle,
    @Inject(Passwords) private readonly passwords: Passwords,
    @Inject(PasswordPolicy) private readonly policy: PasswordPolicy,
    @Inject(Sessions) private readonly sessions: Sessions,
  ) {}

  /** Says and costs the same for every address. */
  async forgot(request: ForgotPasswordRequest): Promise<MessageResponse> {
    await this.mailRequests.ask('reset-password', request);
    return { message: FORGOT_MESSAGE };
  }

  /**
   * Sets a new password by the token of the mail, which works once. Whoever has it reads the mailbox, so the address counts as confirmed.
   * Every session ends.
   *
   * @throws AppError 400 `invalid_or_expired_token`; ValidationFailed for a weak password, and then the token can be used again.
   */
  async reset({ token, new_password }: ResetPasswordRequest): Promise<MessageResponse> {
    const userId = await findMailToken(this.dataSource.manager, token, 'reset_password');
    const person = userId && (await this.person(userId));
    if (!person) throw MailErrors.invalidToken();
    const passwordHash = await this.hash(new_password, person);
    const ended = await this.outbox.transaction(async (em) => {
      if (!(await consumeMailToken(em, token, 'reset_password'))) throw MailErrors.invalidToken();
      await this.forgetWhatWasBegun(em, person.id);
      await em.query('UPDATE users SET password_hash = $2, email_verified_at = coalesce(email_verified_at, now()) WHERE id = $1', [
        person.id,
        passwordHash,
      ]);
      await this.throttle.forget(em, this.throttle.key(person.tenant_id, canonicalEmail(person.email)));
      return this.endSessions(em, person, 'password_reset');
    });
    await this.sessions.ended(ended);
    return { message: 'Your password is changed. Sign in with the new one.' };
  }

  /**
   * Sets a new password by the current one. The session that asks stays, every other one ends.
   *
   * @throws AppError 400 `current_password_invalid` or `password_unchanged`, 429 after too many wrong ones; ValidationFailed for a weak
   * password.
   */
  async change(user: SignedInUser, { current_password, new_password }: ChangePasswordRequest): Promise<MessageResponse> {
    const person = (await this.person(user.userId)) as Person;
    const oldHash = await this.verifyCurrent(person, current_password);
    if (new_password === current_password) throw PasswordErrors.unchanged();
    const passwordHash = await this.hash(new_password, person);
    const ended = await this.outbox.transaction(async (em) => {
      await this.forgetWhatWasBegun(em, person.id);
      // The guard: of two changes at once only one had the current password.
      const [, changed] = await em.query<[unknown[], number]>('UPDATE users SET password_hash = $3 WHERE id = $1 AND password_hash = $2', [
        person.id,
        oldHash,
        passwordHash,
      ]);
      if (!changed) throw PasswordErrors.currentPasswordInvalid();
      return this.endSessions(em, person, 'password_changed', user.sessionId);
    });
    await this.sessions.ended(ended);
    return { message: 'Your password is changed. Everywhere else you have been signed out.' };
  }

  /** Wrong ones count by account, apart from those at login: else a stranger's guesses there would keep the owner from changing it. */
  private async verifyCurrent(person: Person, password: string): Promise<string | null> {
    const key = this.throttle.key(person.tenant_id, canonicalEmail(person.email), 'change-password');
    const blockedSeconds = await this.throttle.blockedFor(key);
    if (blockedSeconds > 0) throw Errors.rateLimited(blockedSeconds);
    const [row] = await this.dataSource.query<{ password_hash: string | null }[]>('SELECT password_hash FROM users WHERE id = $1', [
      person.id,
    ]);
    const passwordHash = row?.password_hash ?? null;
    if (!(await this.passwords.verify(passwordHash, password))) {
      if (await this.throttle.recordFailure(key)) throw PasswordErrors.currentPasswordInvalid();
      throw Errors.rateLimited(1);
    }
    if (!(await this.throttle.recordSuccess(key))) throw Errors.rateLimited(1);
    return passwordHash;
  }

  private async hash(password: string, { email, tenant_id, first_name, last_name }: Person): Promise<string> {
    await this.policy.check(password, { field: 'new_password', email, tenantId: tenant_id, names: [first_name, last_name] });
    return this.passwords.hash(password);
  }

  private async person(userId: string): Promise<Person | undefined> {
    const [person] = await this.dataSource.query<Person[]>(
      'SELECT id, tenant_id, email, first_name, last_name FROM users WHERE id = $1 AND is_active',
      [userId],
    );
    return person;
  }

  /** Voids mailed links and logins under way. Before the user's row is changed, since whoever redeems them takes locks in that order. */
  private async forgetWhatWasBegun(em: EntityManager, userId: string): Promise<void> {
    await em.query('DELETE FROM mail_tokens WHERE user_id = $1', [userId]);
    await em.query('DELETE FROM cli_codes WHERE user_id = $1 AND consumed_at IS NULL', [userId]);
    await em.query('DELETE FROM device_codes WHERE user_id = $1', [userId]);
  }

  /** Ends sessions, has the owner told by mail, and writes it down. Returns the sessions that ended. */
  private async endSessions(em: EntityManager, { id, tenant_id }: Person, reason: string, except?: string): Promise<string[]> {
    await this.jobs.enqueue(em, mailQueue, 'password-changed', { user_id: id });
    const ended = await this.sessions.endAll(em, id, reason, except);
    await recordAudit(em, {
      action: `user.${reason}`,
      target: { type: 'user', id },
      tenantId: tenant_id,
      metadata: { sessions_ended: ended.length },
      actor: { type: 'user', id },
    });
    return ended;
  }
}
