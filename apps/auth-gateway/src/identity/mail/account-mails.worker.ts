import { Inject, Injectable } from '@nestjs/common';
import { JobsService, Postponed, type JobInfo } from '@platform/messaging';
import { DataSource } from 'typeorm';
import { CONFIG, type Config } from '../../config.js';
import { findMailRecipient, issueConfirmation } from '../pending-signups/pending-credentials.js';
import { User } from '../accounts/user.entity.js';
import { FeatureMailsRegistry } from './feature-mails.registry.js';
import { MailerService } from './mailer.service.js';
import { mailQueue } from './mail.jobs.js';
import { RecipientLimitsService } from './recipient-limits.service.js';
import { issueMailToken, type UserMailPurpose } from '../mail-links/mail-tokens.js';
import {
  accountExistsMail,
  notificationMail,
  passwordChangedMail,
  resetPasswordMail,
  severalSignupsMail,
  signupRefusedMail,
  verificationMail,
  type MailedNotification,
} from './templates.js';

/** Sends the mails to users: confirmation links, notices, and messages of apps and features. */
@Injectable()
export class AccountMailsWorker {
  constructor(
    private readonly dataSource: DataSource,
    private readonly mailer: MailerService,
    private readonly recipients: RecipientLimitsService,
    features: FeatureMailsRegistry,
    @Inject(CONFIG) private readonly config: Config,
    jobs: JobsService,
  ) {
    const { PANEL_URL } = config;
    jobs.registerHandlers(mailQueue, {
      'verify-email': async ({ signup_id, deferred }, job) => {
        if (!signup_id || (deferred && !(await this.awaitTurn(signup_id, job)))) return;
        const issued = await issueConfirmation(dataSource.manager, config.SECRET_KEYS, {
          jobId: job.id,
          signupId: signup_id,
        });
        if (issued) await this.mailer.sendMail(verificationMail(issued.signup, issued.token, PANEL_URL), job.id);
      },
      'several-signups': async ({ tenant_id, email }, job) =>
        this.mailer.sendMail(severalSignupsMail(email, tenant_id, PANEL_URL), job.id),
      'account-exists': async ({ user_id }, job) => {
        const user = await this.findUser(user_id);
        if (user) await this.mailer.sendMail(accountExistsMail(user, PANEL_URL), job.id);
      },
      'signup-refused': async ({ user_id }, job) => {
        const user = await this.findUser(user_id);
        if (user) await this.mailer.sendMail(signupRefusedMail(user, PANEL_URL), job.id);
      },
      'reset-password': async ({ user_id }, job) => {
        const user = await this.findUser(user_id);
        const token = user && (await this.issueToken(user, 'reset_password', job));
        if (token) await this.mailer.sendMail(resetPasswordMail(user, token, PANEL_URL), job.id);
      },
      'password-changed': async ({ user_id, ended }, job) => {
        const user = await this.findUser(user_id);
        if (user) await this.mailer.sendMail(passwordChangedMail(user, PANEL_URL, ended), job.id);
      },
      notification: async ({ notification_id }, job) => {
        const notification = await this.findNotification(notification_id);
        if (notification) await this.mailer.sendMail(notificationMail(notification), job.id);
      },
      feature: async ({ kind, id }, job) => {
        const mail = await features.writeMail(kind, id);
        if (mail) await this.mailer.sendMail(mail, job.id);
      },
    });
  }

  /**
   * Counts the mail of a signup for the limits of its recipient. Returns true if it can be sent, or
   * if an earlier attempt of this job counted it; false if the signup has ended or another job sent
   * a mail for it.
   *
   * @throws Postponed if the recipient has received too many mails; the job then runs again later.
   */
  private async awaitTurn(signupId: string, { id: jobId }: JobInfo): Promise<boolean> {
    const signup = await findMailRecipient(this.dataSource.manager, { jobId, signupId });
    if (!signup || signup.isIssued) return signup !== null; // issued by an earlier attempt of this job
    const seconds = await this.recipients.consumeMailOrGetWait(signup.tenantId, signup.email);
    if (seconds) throw new Postponed('the recipient got too much mail', seconds * 1_000);
    return true;
  }

  private async findUser(userId: string | null): Promise<User | null> {
    return userId ? this.dataSource.manager.findOneBy(User, { id: userId, isActive: true }) : null;
  }

  /**
   * Reads a notification with its recipient and its app, for a mail. Null if the notification does
   * not exist or its user is not active.
   */
  private async findNotification(id: string): Promise<MailedNotification | null> {
    const [row] = await this.dataSource.query<MailedNotification[]>(
      `SELECT u.email, u.first_name AS "firstName", n.subject, n.message, n.body, a.display_name AS "appName", n.app_id AS "appId"
       FROM notifications n JOIN users u ON u.id = n.user_id AND u.is_active LEFT JOIN apps a ON a.app_id = n.app_id WHERE n.id = $1`,
      [id],
    );
    return row ?? null;
  }

  private issueToken({ id }: User, purpose: UserMailPurpose, job: JobInfo): Promise<string | null> {
    return issueMailToken(this.dataSource.manager, this.config.SECRET_KEYS, { jobId: job.id, userId: id, purpose });
  }
}
