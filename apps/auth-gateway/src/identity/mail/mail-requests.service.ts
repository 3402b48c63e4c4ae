import { Inject, Injectable } from '@nestjs/common';
import type { ForgotPasswordRequest, ResendVerificationRequest } from '@platform/contracts';
import { JobsService } from '@platform/messaging';
import { Outbox, type Row } from '@platform/persistence';
import { CONFIG, type Config } from '../../config.js';
import { findPendingCredential } from '../pending-signups/pending-credentials.js';
import { parseStatusToken } from '../pending-signups/signup-status-tokens.js';
import { mailQueue } from './mail.jobs.js';
import { RecipientLimitsService } from './recipient-limits.service.js';
import type { User } from '../accounts/user.entity.js';

/** Mails that anybody can request for an address. */
@Injectable()
export class MailRequestsService {
  constructor(
    private readonly outbox: Outbox,
    private readonly jobs: JobsService,
    private readonly recipients: RecipientLimitsService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Enqueues a mail with a password reset link, if the tenant has an active user with this
   * confirmed address. It does the same work for every address: it also enqueues a job, which sends
   * nothing, for an unknown address or one that has received too many mails.
   */
  async requestPasswordReset({ email, tenant_id: tenantId }: ForgotPasswordRequest): Promise<void> {
    const mayMail = await this.recipients.consumeMail(tenantId, email);
    await this.outbox.transaction(async (em) => {
      const [user] = await em.query<Row<User, 'id'>[]>(
        'SELECT id FROM users WHERE tenant_id = $1 AND email_canonical = $2 AND is_active',
        [tenantId, email],
      );
      await this.jobs.enqueue(em, mailQueue, 'reset-password', { user_id: mayMail && user ? user.id : null });
    });
  }

  /**
   * Enqueues a mail with the confirmation link of a signup again, with the same work for every
   * address. If several signups of the address wait, one may be a stranger's. Then the link is sent
   * only for the signup of `status_token`, which the answer to the signup contained; without it, a
   * mail explains how to continue. Sends nothing if no signup waits or the address has received too
   * many mails.
   */
  async requestConfirmationLink({
    email,
    tenant_id: tenantId,
    status_token,
  }: ResendVerificationRequest): Promise<void> {
    const mayMail = await this.recipients.consumeMail(tenantId, email);
    const id = await parseStatusToken(this.config.SECRET_KEYS, status_token);
    await this.outbox.transaction(async (em) => {
      const found = await findPendingCredential(em, { tenantId, email, id });
      if (found.areSeveral && mayMail)
        await this.jobs.enqueue(em, mailQueue, 'several-signups', { tenant_id: tenantId, email });
      else await this.jobs.enqueue(em, mailQueue, 'verify-email', { signup_id: mayMail ? found.id : null });
    });
  }
}
