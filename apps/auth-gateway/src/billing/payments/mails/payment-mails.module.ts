import { Module } from '@nestjs/common';
import { MailModule } from '../../../identity/mail/mail.module.js';
import { PaymentMailsService } from './payment-mails.service.js';

@Module({ imports: [MailModule], providers: [PaymentMailsService] })
export class PaymentMailsModule {}
