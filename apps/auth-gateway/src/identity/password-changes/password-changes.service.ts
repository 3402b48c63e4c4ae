import { Inject, Injectable } from '@nestjs/common';
import type {
  ChangePasswordRequest,
  ForgotPasswordRequest,
  MessageResponse,
  ResetPasswordRequest,
} from '@platform/contracts';
import { JobsService, BroadcastService } from '@platform/messaging';
import { columns, Outbox, type RowOf } from '@platform/persistence';
import { DataSource, type EntityManager } from 'typeorm';
import { User } from '../accounts/user.entity.js';
import { deleteUserKeys } from '../api-keys/delete-user-keys.js';
import { API_KEY_DELETED } from '../api-keys/api-key-authentication.service.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import { CONFIG, type Config } from '../../config.js';
import { LoginThrottlingService } from '../login/login-throttling.service.js';
import { MailLinkErrors } from '../mail-links/mail-links.errors.js';
import { mailQueue } from '../mail/mail.jobs.js';
import { MailRequestsService } from '../mail/mail-requests.service.js';
import { consumeMailToken, findMailToken, deleteMailTokens } from '../mail-links/mail-tokens.js';
import type { SignedInUser } from '../sessions/signed-in-users.service.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { PasswordPolicy } from '../passwords/password.policy.js';
import { CurrentPasswordService } from './current-password.service.js';
import { PasswordErrors } from './passwords.errors.js';
import { PasswordsService } from '../passwords/passwords.service.js';

const FORGOT_MESSAGE = 'If there is an account for this address, a mail with a link is on its way.';

const PERSON = columns(User, ['id', 'tenantId', 'email', 'emailCanonical', 'firstName', 'lastName']);
type Person = RowOf<typeof PERSON>;

/**
 * Sets new passwords, with the current password or with a mailed link. Both end all logins that may
 * have been started with the old password.
 */
@Injectable()
export class PasswordChangesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly jobs: JobsService,
    private readonly broadcast: BroadcastService,
    private readonly mailRequests: MailRequestsService,
    private readonly throttle: LoginThrottlingService,
    private readonly currentPassword: CurrentPasswordService,
    private readonly passwords: PasswordsService,
    private readonly policy: PasswordPolicy,
    private readonly sessions: SessionsService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Enqueues a mail with a password reset link, if the tenant has an active user with the address
   * and the address has not received too many mails. The answer and the work are the same for every
   * address.
   */
  async requestReset(request: ForgotPasswordRequest): Promise<MessageResponse> {
    await this.mailRequests.requestPasswordReset(request);
    return { message: FORGOT_MESSAGE };
  }

  /**
   * Sets a new password with the token of the mail. The token works once. All sessions and API keys
   * end, because a thief of the password may have them, too. API keys and command-line sessions are
   * kept if the request says so. A block of the account after wrong passwords ends. The user gets a
   * notice by mail.
   *
   * @throws AppError 400 `invalid_or_expired_token` if the token is unknown, used or expired, or
   * the user is deactivated; 503 if too many passwords wait to be hashed.
   * @throws ValidationFailed for a weak password; then the token can be used again.
   */
  async resetPassword(request: ResetPasswordRequest): Promise<MessageResponse> {
    const { token, new_password } = request;
    const userId = await findMailToken(this.dataSource.manager, this.config.SECRET_KEYS, token, 'reset_password');
    const person = userId && (await this.findPerson(userId));
    if (!person) throw MailLinkErrors.invalidToken();
    const passwordHash = await this.hashNewPassword(new_password, person);
    const { sessions, keys } = await this.outbox.transaction(async (em) => {
      if (!(await consumeMailToken(em, token, 'reset_password'))) throw MailLinkErrors.invalidToken();
      await deleteMailTokens(em, person.id);
      const [, changed] = await em.query<[unknown[], number]>(
        'UPDATE users SET password_hash = $2 WHERE id = $1 AND is_active',
        [person.id, passwordHash],
      );
      if (!changed) throw MailLinkErrors.invalidToken();
      await this.throttle.resetFailures(em, this.throttle.makeThrottleKey(person.tenant_id, person.email_canonical));
      return this.endCredentials(em, person, request);
    });
    await this.sessions.notifyEnded(sessions);
    if (keys.length) await this.broadcast.publish(API_KEY_DELETED, keys);
    return { message: 'Your password is changed. Sign in with the new one.' };
  }

  /**
   * Sets a new password with the current one. All sessions except the caller's end, mailed reset
   * links become invalid, and the user gets a notice by mail. API keys are kept: a user who knows
   * the current password and is signed in can delete them.
   *
   * @throws AppError 400 `password.current_invalid` if the current password is wrong,
   * `password.unchanged` if both are the same; 429 for a growing time after five wrong passwords in
   * a row; 503 if too many passwords wait to be checked.
   * @throws ValidationFailed for a weak password.
   */
  async changePassword(
    user: SignedInUser,
    { current_password, new_password }: ChangePasswordRequest,
  ): Promise<MessageResponse> {
    const person = (await this.findPerson(user.userId)) as Person;
    const oldHash = await this.currentPassword.assertCurrentPassword(person.id, current_password);
    if (new_password === current_password) throw PasswordErrors.unchanged();
    const passwordHash = await this.hashNewPassword(new_password, person);
    const ended = await this.outbox.transaction(async (em) => {
      await deleteMailTokens(em, person.id);
      // The condition on the old hash lets only one of two concurrent changes succeed.
      const [, changed] = await em.query<[unknown[], number]>(
        'UPDATE users SET password_hash = $3 WHERE id = $1 AND password_hash = $2',
        [person.id, oldHash, passwordHash],
      );
      if (!changed) throw PasswordErrors.currentPasswordInvalid();
      const others = await this.sessions.endUserSessions(em, person.id, 'password_changed', { except: user.sessionId });
      await this.jobs.enqueue(em, mailQueue, 'password-changed', { user_id: person.id });
      await this.recordChange(em, person.id, person.tenant_id, 'user.password_changed', {
        sessions_ended: others.length,
      });
      return others;
    });
    await this.sessions.notifyEnded(ended);
    return { message: 'Your password is changed. Everywhere else you have been signed out.' };
  }

  private async hashNewPassword(
    password: string,
    { email, tenant_id, first_name, last_name }: Person,
  ): Promise<string> {
    await this.policy.assertPasswordAllowed(password, {
      field: 'new_password',
      email,
      tenantId: tenant_id,
      names: [first_name, last_name],
    });
    return this.passwords.hashPassword(password);
  }

  private async findPerson(userId: string): Promise<Person | undefined> {
    const [person] = await this.dataSource.query<Person[]>(`SELECT ${PERSON} FROM users WHERE id = $1 AND is_active`, [
      userId,
    ]);
    return person;
  }

  /**
   * Ends the sessions and API keys of a user after a password reset, except those that the request
   * keeps. Enqueues the notice to the owner and writes the audit entry. Returns the ids of the
   * sessions and the `lookup` parts of the keys. Call it after the user's row was changed.
   */
  private async endCredentials(
    em: EntityManager,
    { id, tenant_id }: Person,
    { keep_api_keys, keep_terminal_sessions }: ResetPasswordRequest,
  ): Promise<{ sessions: string[]; keys: string[] }> {
    const ended = await this.sessions.endAndListUserSessions(em, id, 'password_reset', {
      surface: keep_terminal_sessions ? 'cli' : undefined,
    });
    const keys = keep_api_keys ? [] : await deleteUserKeys(em, id);
    const terminals = ended.filter(({ surface }) => surface === 'cli').length;
    const said = {
      api_keys: keep_api_keys ? null : keys.length,
      terminal_sessions: keep_terminal_sessions ? null : terminals,
    };
    await this.jobs.enqueue(em, mailQueue, 'password-changed', { user_id: id, ended: said });
    const metadata = {
      sessions_ended: ended.length,
      api_keys_ended: keys.length,
      kept: [...(keep_api_keys ? ['api_keys'] : []), ...(keep_terminal_sessions ? ['terminal_sessions'] : [])],
    };
    await this.recordChange(em, id, tenant_id, 'user.password_reset', metadata);
    return { sessions: ended.map((session) => session.id), keys };
  }

  private recordChange(
    em: EntityManager,
    id: string,
    tenantId: string,
    action: string,
    metadata: object,
  ): Promise<void> {
    return recordAudit(em, { action, target: { type: 'user', id }, tenantId, metadata, actor: { type: 'user', id } });
  }
}
