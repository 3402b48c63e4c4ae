import { Inject, Injectable } from '@nestjs/common';
import type {
  MessageResponse,
  ResendVerificationRequest,
  SignupRequest,
  SignupResponse,
  SignupStatusResponse,
  TokenResponse,
} from '@platform/contracts';
import { Jobs } from '@platform/messaging';
import { Outbox } from '@platform/persistence';
import { newId } from '@platform/platform';
import { DataSource, type EntityManager } from 'typeorm';
import { createAccount } from '../accounts/accounts.js';
import { recordAudit } from '../audit/record-audit.js';
import { CONFIG, type Config } from '../config.js';
import { MailErrors } from '../mail/mail.errors.js';
import { mailQueue } from '../mail/mail.jobs.js';
import { MailRequests } from '../mail/mail-requests.js';
import { consumeMailToken } from '../mail/mail-tokens.js';
import { RecipientLimits } from '../mail/recipient-limits.js';
import { PasswordPolicy } from '../passwords/password-policy.js';
import { Passwords } from '../passwords/passwords.service.js';
import { getAccount } from '../sessions/account.js';
import type { Client } from '../sessions/client.js';
import { Sessions } from '../sessions/sessions.service.js';
import { assertCanAuthenticate, assertMethodAllowed } from '../users/can-authenticate.js';
import { canonicalEmail } from '../users/email.js';
import { SignupStatusTokens } from './signup-status.js';

const SIGNUP_MESSAGE = 'Check your e-mail to confirm your address.';
const RESEND_MESSAGE = 'If this address waits for confirmation, a new mail is on its way.';

/** Self-registration: sign up, confirm the address by mail, and be signed in. */
@Injectable()
export class SignupService {
  private readonly statusTokens: SignupStatusTokens;

  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(Outbox) private readonly outbox: Outbox,
    @Inject(Jobs) private readonly jobs: Jobs,
    @Inject(MailRequests) private readonly mailRequests: MailRequests,
    @Inject(Passwords) private readonly passwords: Passwords,
    @Inject(PasswordPolicy) private readonly policy: PasswordPolicy,
    @Inject(RecipientLimits) private readonly recipients: RecipientLimits,
    @Inject(Sessions) private readonly sessions: Sessions,
    @Inject(CONFIG) config: Config,
  ) {
    this.statusTokens = new SignupStatusTokens(config.SECRET_KEYS, dataSource);
  }

  /**
   * Answers alike for a new and for a taken address; only the owner of the mailbox learns which it was.
   *
   * @throws AppError 403 `auth_method_not_allowed`; ValidationFailed for a weak password or an unknown tenant.
   */
  async signup(request: SignupRequest): Promise<SignupResponse> {
    const email = canonicalEmail(request.email);
    const { tenant_id: tenantId, first_name, last_name } = request;
    await this.assertTakesSignups(tenantId);
    await this.policy.check(request.password, { field: 'password', email, tenantId, names: [first_name, last_name] });
    const [passwordHash, mayMail] = await Promise.all([this.passwords.hash(request.password), this.recipients.mayMail(tenantId, email)]);
    const created = newId('usr');
    const userId = await this.outbox.transaction((em) =>
      this.insertOrMail(em, request, { id: created, canonical: email, passwordHash, mayMail }),
    );
    // The id of an account that was there before is nobody else's business; `created` is then random.
    return { message: SIGNUP_MESSAGE, user_id: created, status_token: await this.statusTokens.issue(userId, request.email) };
  }

  status(token: string): Promise<SignupStatusResponse> {
    return this.statusTokens.read(token);
  }

  /**
   * Confirms the address and signs in. The token works once, also when many present it at the same time.
   *
   * @throws AppError 400 `invalid_or_expired_token`; 403 when the account may not sign in, and then the token can be used again.
   */
  async verifyEmail(token: string, client: Client): Promise<TokenResponse> {
    const { account, sessionId } = await this.dataSource.transaction(async (em) => {
      const userId = await consumeMailToken(em, token, 'verify_email');
      if (!userId) throw MailErrors.invalidToken();
      await em.query('UPDATE users SET email_verified_at = coalesce(email_verified_at, now()) WHERE id = $1', [userId]);
      const verified = await getAccount(em, userId);
      assertCanAuthenticate(verified, 'email');
      const { tenant_id: tenantId } = verified;
      await recordAudit(em, {
        action: 'user.email_verified',
        target: { type: 'user', id: userId },
        tenantId,
        actor: { type: 'user', id: userId },
      });
      return { account: verified, sessionId: (await this.sessions.begin(em, userId, client)) as string };
    });
    return this.sessions.tokens(account, { id: sessionId, surface: client.surface });
  }

  /** Says and costs the same for every address. */
  async resendVerification(request: ResendVerificationRequest): Promise<MessageResponse> {
    await this.mailRequests.ask('verify-email', request);
    return { message: RESEND_MESSAGE };
  }

  /** Nobody gets an account that they could not sign in to. */
  private async assertTakesSignups(tenantId: string): Promise<void> {
    const [tenant] = await this.dataSource.query<{ allowed_auth_methods: string[] }[]>(
      'SELECT allowed_auth_methods FROM tenants WHERE id = $1',
      [tenantId],
    );
    if (tenant) assertMethodAllowed(tenant, 'email');
  }

  /**
   * Inserts the user, or finds the one that has the address. An account that nobody has confirmed takes the password of the latest
   * signup: whoever confirms must not find that a stranger, who signed up with their address before them, knows it.
   *
   * @returns the id of the user that has the address now.
   */
  private async insertOrMail(
    em: EntityManager,
    { tenant_id, email, first_name, last_name }: SignupRequest,
    { id, canonical, passwordHash, mayMail }: { id: string; canonical: string; passwordHash: string; mayMail: boolean },
  ): Promise<string> {
    const account = { id, tenantId: tenant_id, email, passwordHash, firstName: first_name, lastName: last_name, bySignup: true };
    if (await createAccount(em, this.outbox, account)) {
      await this.jobs.enqueue(em, mailQueue, 'verify-email', { user_id: mayMail ? id : null });
      return id;
    }
    const [existing] = await em.query<[{ id: string; verified: boolean }]>(
      'SELECT id, email_verified_at IS NOT NULL AS verified FROM users WHERE tenant_id = $1 AND email_canonical = $2',
      [tenant_id, canonical],
    );
    // As much work as for a new account, whose creation is written down too.
    await recordAudit(em, { action: 'user.signup_repeated', target: { type: 'user', id: existing.id }, tenantId: tenant_id });
    if (existing.verified) {
      await this.jobs.enqueue(em, mailQueue, 'account-exists', { user_id: mayMail ? existing.id : null });
      return id;
    }
    if (mayMail) {
      await em.query('UPDATE users SET password_hash = $2, first_name = $3, last_name = $4 WHERE id = $1 AND email_verified_at IS NULL', [
        existing.id,
        passwordHash,
        first_name,
        last_name,
      ]);
    }
    await this.jobs.enqueue(em, mailQueue, 'verify-email', { user_id: mayMail ? existing.id : null });
    return existing.id;
  }
}
