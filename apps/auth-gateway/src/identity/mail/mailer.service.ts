import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { PermanentFailure } from '@platform/messaging';
import type { Transporter } from 'nodemailer';
import { CONFIG, type Config } from '../../config.js';
import { MailOutagesService } from './mail-outages.service.js';
import { smtpOptions } from './smtp-options.js';
import { findFailureCause, type SmtpError } from './smtp-errors.js';

export interface Mail {
  to: string;
  subject: string;
  content: MailContent;
}

/** Paragraphs before the button or the code, and a note below it. */
export interface MailContent {
  greeting: string;
  paragraphs: string[];
  action?: { label: string; url: string };
  code?: { label: string; value: string };
  note: string;
}

const TIMEOUT_MS = 10_000;

/**
 * Sends mails over SMTP. Only jobs use it, so that a slow or unreachable mail server does not delay
 * requests.
 */
@Injectable()
export class MailerService implements OnApplicationShutdown {
  private transport: Promise<Transporter> | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly outages: MailOutagesService,
  ) {}

  /**
   * Sends a mail. A failure of the server, not of this mail, is recorded as an outage
   * (`MailOutagesService`); a mail that was sent ends the outage.
   *
   * @param jobId becomes the Message-ID, so that mail programs that compare it show a repeated mail
   * once.
   * @throws PermanentFailure if the server refuses the recipient permanently; the error of
   * nodemailer otherwise, for example if the server is unreachable. Then the job can try again.
   */
  async sendMail({ to, subject, content }: Mail, jobId: string): Promise<void> {
    const from = this.config.MAIL_FROM;
    const messageId = `<${jobId}@${from.replace(/.*@|>$/g, '')}>`;
    const { html, text } = await import('./mail-rendering.js');
    const transport = await (this.transport ??= this.createTransport());
    try {
      await transport.sendMail({ to, subject, html: html(content), text: text(content), from, messageId });
    } catch (error) {
      const blame = findFailureCause(error as SmtpError);
      if (blame === 'recipient') {
        throw new PermanentFailure(`The mail server refused the recipient with ${(error as SmtpError).responseCode}.`);
      }
      if (blame === 'server') await this.outages.recordOutage(error as Error);
      throw error;
    }
    await this.outages.endOutage();
  }

  async onApplicationShutdown(): Promise<void> {
    (await this.transport)?.close();
  }

  /**
   * Creates the SMTP transport. The modules for mails are loaded with the first mail, because a
   * process without jobs never sends one.
   */
  private async createTransport(): Promise<Transporter> {
    const { createTransport } = await import('nodemailer');
    const { SMTP_URL, SMTP_TLS } = this.config;
    const timeouts = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS };
    return createTransport({ ...smtpOptions(SMTP_URL, SMTP_TLS), ...timeouts });
  }
}
