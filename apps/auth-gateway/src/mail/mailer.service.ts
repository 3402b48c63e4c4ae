import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { PermanentFailure } from '@platform/messaging';
import { createTransport, type Transporter } from 'nodemailer';
import { CONFIG, type Config } from '../config.js';

export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

const TIMEOUT_MS = 10_000;

/** Sends mail over SMTP. Only jobs use it: a mail server that is slow or away must not delay a request. */
@Injectable()
export class Mailer implements OnApplicationShutdown {
  private readonly transport: Transporter;
  private readonly from: string;

  constructor(@Inject(CONFIG) { SMTP_URL, MAIL_FROM }: Config) {
    const timeouts = `connectionTimeout=${TIMEOUT_MS}&greetingTimeout=${TIMEOUT_MS}&socketTimeout=${TIMEOUT_MS}`;
    this.transport = createTransport(`${SMTP_URL}${SMTP_URL.includes('?') ? '&' : '?'}${timeouts}`);
    this.from = MAIL_FROM;
  }

  /**
   * @param jobId makes the Message-ID, so that a mail that was sent twice shows once in clients that compare it.
   * @throws PermanentFailure when the server refuses the recipient for good (RFC 5321: 5yz); anything else is worth another try.
   */
  async send(mail: Mail, jobId: string): Promise<void> {
    try {
      await this.transport.sendMail({ ...mail, from: this.from, messageId: `<${jobId}@${this.from.replace(/.*@|>$/g, '')}>` });
    } catch (error) {
      const { code, responseCode } = error as { code?: string; responseCode?: number };
      if (code === 'EENVELOPE' && responseCode && responseCode >= 500) {
        throw new PermanentFailure(`The mail server refused the recipient with ${responseCode}.`);
      }
      throw error;
    }
  }

  onApplicationShutdown(): void {
    this.transport.close();
  }
}
