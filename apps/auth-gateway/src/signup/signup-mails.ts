import { Inject, Injectable } from '@nestjs/common';
import { Jobs, type JobInfo } from '@platform/messaging';
import { DataSource, IsNull } from 'typeorm';
import { CONFIG, type Config } from '../config.js';
import { Mailer } from '../mail/mailer.service.js';
import { mailQueue } from '../mail/mail.jobs.js';
import { issueMailToken } from '../mail/mail-tokens.js';
import { accountExistsMail, verificationMail } from '../mail/templates.js';
import { User } from '../users/user.entity.js';

/** The mails that signing up causes. */
@Injectable()
export class SignupMails {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(Mailer) private readonly mailer: Mailer,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(Jobs) jobs: Jobs,
  ) {
    jobs.process(mailQueue, {
      'verify-email': ({ user_id }, job) => this.verification(user_id, job),
      'account-exists': ({ user_id }, job) => this.accountExists(user_id, job),
    });
  }

  private async verification(userId: string | null, { id }: JobInfo): Promise<void> {
    const user = userId && (await this.dataSource.manager.findOneBy(User, { id: userId, isActive: true, emailVerifiedAt: IsNull() }));
    if (!user) return;
    const issue = { jobId: id, userId: user.id, purpose: 'verify_email' } as const;
    const token = await issueMailToken(this.dataSource.manager, this.config.SECRET_KEYS, issue);
    if (token) await this.mailer.send(verificationMail(user, token, this.config.PANEL_URL), id);
  }

  private async accountExists(userId: string | null, { id }: JobInfo): Promise<void> {
    const user = userId && (await this.dataSource.manager.findOneBy(User, { id: userId }));
    if (user) await this.mailer.send(accountExistsMail(user, this.config.PANEL_URL), id);
  }
}
