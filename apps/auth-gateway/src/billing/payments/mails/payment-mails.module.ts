import { Module } from '@nestjs/common';
import { MailModule } from '../../../identity/mail/mail.module.js';
import { PaymentMails } from './payment-mails.js';

/** What users are told of their payments by mail. */
@Module({ imports: [MailModule], providers: [PaymentMails] })
export class PaymentMailsModule {}
