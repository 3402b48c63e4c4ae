import { Module } from '@nestjs/common';
import { MailModule } from '../../../identity/mail/mail.module.js';
import { PaymentMails } from './payment-mails.service.js';

@Module({ imports: [MailModule], providers: [PaymentMails] })
export class PaymentMailsModule {}
