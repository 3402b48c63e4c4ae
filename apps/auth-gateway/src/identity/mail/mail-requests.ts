import { Inject, Injectable } from '@nestjs/common';
import type { ForgotPasswordRequest, ResendVerificationRequest } from '@platform/contracts';
import { Jobs } from '@platform/messaging';
import { Outbox, type Row } from '@platform/persistence';
import { CONFIG, type Config } from '../../config.js';
import { findPendingCredential } from '../pending-signups/pending-credentials.js';
import { readStatusToken } from '../pending-signups/signup-status.js';
import { mailQueue } from './mail.jobs.js';
import { RecipientLimits } from './recipient-limits.js';
import type { User } from '../accounts/user.entity.js';

/** Mail that anybody may ask for by an address, whoever has it. */
@Injectable()
export class MailRequests {
  constructor(
    private readonly outbox: Outbox,
    private readonly jobs: Jobs,
    private readonly recipients: RecipientLimits,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Costs the same for every address: a job is written for an unknown one too, and for one that has got too much mail already. */
  async newPassword({ email, tenant_id: tenantId }: ForgotPasswordRequest): Promise<void> {
    const mayMail = await this.recipients.mayMail(tenantId, email);
    await this.outbox.transaction(async (em) => {
      // One of before that nobody confirmed is nobody's: a stranger may have chosen what is in it. Who has the address signs up.
      const [user] = await em.query<Row<User, 'id'>[]>(
        'SELECT id FROM users WHERE tenant_id = $1 AND email_canonical = $2 AND is_active AND email_verified_at IS NOT NULL',
        [tenantId, email],
      );
      await this.jobs.enqueue(em, mailQueue, 'reset-password', { user_id: mayMail && user ? user.id : null });
    });
  }

  /**
   * Mails the link of a signup again, as costly for every address. Where several signups wait, a stranger's may be among them: then only
   * who holds the status token of one is sent its link, and anybody else a mail that says how to go on.
   */
  async link({ email, tenant_id: tenantId, status_token }: ResendVerificationRequest): Promise<void> {
    const mayMail = await this.recipients.mayMail(tenantId, email);
    const id = await readStatusToken(this.config.SECRET_KEYS, status_token);
    await this.outbox.transaction(async (em) => {
      const found = await findPendingCredential(em, { tenantId, email, id });
      if (found.areSeveral && mayMail) await this.jobs.enqueue(em, mailQueue, 'several-signups', { tenant_id: tenantId, email });
      else await this.jobs.enqueue(em, mailQueue, 'verify-email', { signup_id: mayMail ? found.id : null });
    });
  }
}
