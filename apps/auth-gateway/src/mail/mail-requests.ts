import { Inject, Injectable } from '@nestjs/common';
import { Jobs } from '@platform/messaging';
import { Outbox } from '@platform/persistence';
import { canonicalEmail } from '../users/email.js';
import { mailQueue } from './mail.jobs.js';
import { RecipientLimits } from './recipient-limits.js';

/** Who gets the mail that was asked for. */
const RECIPIENTS = { 'verify-email': 'email_verified_at IS NULL', 'reset-password': 'is_active' };

/** Mail that anybody may ask for by an address, whoever has it. */
@Injectable()
export class MailRequests {
  constructor(
    @Inject(Outbox) private readonly outbox: Outbox,
    @Inject(Jobs) private readonly jobs: Jobs,
    @Inject(RecipientLimits) private readonly recipients: RecipientLimits,
  ) {}

  /** Costs the same for every address: a job is written for an unknown one too, and for one that has got too much mail already. */
  async ask(mail: keyof typeof RECIPIENTS, { email, tenant_id: tenantId }: { email: string; tenant_id: string }): Promise<void> {
    const canonical = canonicalEmail(email);
    const mayMail = await this.recipients.mayMail(tenantId, canonical);
    await this.outbox.transaction(async (em) => {
      const [user] = await em.query<{ id: string }[]>(
        `SELECT id FROM users WHERE tenant_id = $1 AND email_canonical = $2 AND ${RECIPIENTS[mail]}`,
        [tenantId, canonical],
      );
      await this.jobs.enqueue(em, mailQueue, mail, { user_id: mayMail && user ? user.id : null });
    });
  }
}
