import { Inject, Injectable } from '@nestjs/common';
import { DEFAULT_TENANT } from '@platform/contracts';
import type {
  LoginResponse,
  MessageResponse,
  ResendVerificationRequest,
  SignupRequest,
  SignupResponse,
  SignupStatusResponse,
  VerifyEmailRequest,
} from '@platform/contracts';
import { JobsService } from '@platform/messaging';
import { Outbox } from '@platform/persistence';
import { newId } from '@platform/platform';
import { DataSource, type EntityManager } from 'typeorm';
import { createAccount } from '../registration/create-account.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import { CONFIG, type Config } from '../../config.js';
import { KnownDevicesService } from '../login/known-devices.service.js';
import { MailLinkErrors } from '../mail-links/mail-links.errors.js';
import { mailQueue } from '../mail/mail.jobs.js';
import { MailRequestsService } from '../mail/mail-requests.service.js';
import { RecipientLimitsService } from '../mail/recipient-limits.service.js';
import { PasswordPolicy } from '../passwords/password.policy.js';
import { PasswordsService } from '../passwords/passwords.service.js';
import { getAccount } from '../sessions/signed-in-account.js';
import type { Client } from '../sessions/client.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { assertCanAuthenticate } from '../accounts/can-authenticate.js';
import {
  storePendingCredential,
  findConfirmable,
  lockAddress,
  consumeConfirmation,
  type Signup,
} from '../pending-signups/pending-credentials.js';
import { SignupErrors } from './signup.errors.js';
import { parseStatusToken, SignupStatusTokens } from '../pending-signups/signup-status-tokens.js';

const SIGNUP_MESSAGE = 'Check your e-mail to confirm your address.';
const RESEND_MESSAGE = 'If this address waits for confirmation, a new mail is on its way.';

/** Self-registration: sign up, confirm the address by mail, sign in. */
@Injectable()
export class SignupService {
  private readonly statusTokens: SignupStatusTokens;

  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly jobs: JobsService,
    private readonly mailRequests: MailRequestsService,
    private readonly passwords: PasswordsService,
    private readonly policy: PasswordPolicy,
    private readonly recipients: RecipientLimitsService,
    private readonly sessions: SessionsService,
    private readonly devices: KnownDevicesService,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.statusTokens = new SignupStatusTokens(config.SECRET_KEYS, dataSource);
  }

  /**
   * Stores a signup and enqueues its mail, if the address is new and the tenant allows signups; the
   * owner of a taken address gets at most a notice. The answer is the same for a new address, a
   * taken address and an unknown tenant; only the owner of the mailbox learns the difference. An
   * account is created only when the link of this signup is used.
   *
   * @throws ValidationFailed for a weak password.
   * @throws AppError 503 if too many passwords wait to be hashed.
   */
  async signup(request: SignupRequest, client: Client): Promise<SignupResponse> {
    const { email, tenant_id: tenantId, first_name, last_name } = request;
    await this.policy.assertPasswordAllowed(request.password, {
      field: 'password',
      email,
      tenantId,
      names: [first_name, last_name],
    });
    const [passwordHash, mayMail, mayNotify] = await Promise.all([
      this.passwords.hashPassword(request.password),
      this.recipients.consumeMail(tenantId, email),
      this.recipients.consumeNotice(email),
    ]);
    const id = newId('usr');
    const { ipAddress, userAgent } = client;
    const names = { firstName: first_name ?? null, lastName: last_name ?? null };
    const signup = { id, tenantId, email, passwordHash, ...names, ipAddress, userAgent, mailDeferred: !mayMail };
    await this.outbox.transaction((em) => this.storeOrNotify(em, signup, { mayNotify: mayMail && mayNotify }));
    return { message: SIGNUP_MESSAGE, user_id: id, status_token: await this.statusTokens.issueStatusToken(id, email) };
  }

  getSignupStatus(token: string): Promise<SignupStatusResponse> {
    return this.statusTokens.getSignupStatus(token);
  }

  /**
   * Confirms the address of a signup, creates its account and signs in. The account gets the
   * password and the names of the signup of this link; all other signups with the address end. If
   * others wait, the mail may come from a stranger's signup; then the request must have the status
   * token or the password of this one. The token works once.
   *
   * @throws AppError 400 `invalid_or_expired_token` if the token is not valid or another account
   * has the address.
   * @throws AppError 409 `signup.ambiguous` if the proof is missing; 403 `account_disabled` or
   * `auth_method_not_allowed` if the tenant is deactivated or allows no passwords; 503 if too many
   * passwords wait to be checked. Then the token can be used again.
   */
  async verifyEmail(request: VerifyEmailRequest, client: Client): Promise<LoginResponse> {
    const isOwn = await this.isOwnSignup(request);
    const { account, sessionId } = await this.outbox.transaction(async (em) => {
      const confirmed = await consumeConfirmation(em, this.config.SECRET_KEYS, request.token);
      if (!confirmed) throw MailLinkErrors.invalidToken();
      if (confirmed.has_rivals && !isOwn) throw SignupErrors.ambiguous();
      const {
        id,
        tenant_id: tenantId,
        email,
        password_hash: passwordHash,
        first_name: firstName,
        last_name: lastName,
      } = confirmed;
      const created = await createAccount(em, this.outbox, {
        id,
        tenantId,
        email,
        passwordHash,
        firstName,
        lastName,
        bySignup: true,
      });
      // Another account has the address now. A signup does not change existing accounts.
      if (!created) throw MailLinkErrors.invalidToken();
      const account = await getAccount(em, id);
      assertCanAuthenticate(account, 'email');
      await recordAudit(em, {
        action: 'user.email_verified',
        target: { type: 'user', id },
        tenantId,
        actor: { type: 'user', id },
      });
      return { account, sessionId: await this.sessions.startSessionForUser(em, id, client, 'email_confirmation') };
    });
    const tokens = await this.sessions.issueTokens(account, { id: sessionId, surface: client.surface });
    return Object.assign(tokens, { device_token: this.devices.issueDeviceToken(account) });
  }

  /**
   * True if the request has the status token or the password of the link's signup; false for an
   * invalid link. Neither changes while the signup waits.
   */
  private async isOwnSignup({ token, status_token, password }: VerifyEmailRequest): Promise<boolean> {
    if (!status_token && !password) return false;
    const signup = await findConfirmable(this.dataSource.manager, this.config.SECRET_KEYS, token);
    if (!signup) return false;
    if ((await parseStatusToken(this.config.SECRET_KEYS, status_token)) === signup.id) return true;
    return password ? this.passwords.verifyPassword(signup.password_hash, password) : false;
  }

  /**
   * Enqueues a mail with the confirmation link again, if a signup of the address waits; if several
   * wait and the request has no `status_token`, a mail that explains how to continue. Sends nothing
   * if the address has received too many mails. The answer and the work are the same for every
   * address.
   */
  async resendVerification(request: ResendVerificationRequest): Promise<MessageResponse> {
    await this.mailRequests.requestConfirmationLink(request);
    return { message: RESEND_MESSAGE };
  }

  /**
   * Stores the signup and enqueues its confirmation mail. If the address has a user, or the tenant
   * allows no signups, it is not stored; the user, if there is one, gets a notice instead, unless
   * the tenant is deactivated or `mayNotify` is false. In the other cases no mail is sent, so that
   * the owner of a mailbox does not learn which tenants exist. Does the same work in all cases.
   */
  private async storeOrNotify(em: EntityManager, signup: Signup, { mayNotify }: { mayNotify: boolean }): Promise<void> {
    const { id, tenantId, email, mailDeferred } = signup;
    await lockAddress(em, tenantId, email);
    const [known] = await em.query<{ methods: string[]; is_active: boolean; user_id: string | null }[]>(
      `SELECT t.allowed_auth_methods AS methods, t.is_active, u.id AS user_id
       FROM tenants t LEFT JOIN users u ON u.tenant_id = t.id AND u.email_canonical = $2 WHERE t.id = $1`,
      [tenantId, email],
    );
    const takesSignups = Boolean(known?.is_active && known.methods.includes('email'));
    const isKept = takesSignups && !known?.user_id;
    await storePendingCredential(em, signup, isKept);
    const [action, target] = known?.user_id ? ['user.signup_repeated', known.user_id] : ['user.signed_up', id];
    await recordAudit(em, {
      action,
      target: { type: 'user', id: target },
      tenantId: known ? tenantId : DEFAULT_TENANT,
    });
    if (isKept) await this.jobs.enqueue(em, mailQueue, 'verify-email', { signup_id: id, deferred: mailDeferred });
    else {
      const user_id = mayNotify && known?.is_active ? known.user_id : null;
      await this.jobs.enqueue(em, mailQueue, takesSignups ? 'account-exists' : 'signup-refused', { user_id });
    }
  }
}
