import { Module } from '@nestjs/common';
import { MailLinksModule } from '../mail-links/mail-links.module.js';
import { AccountMails } from './account-mails.js';
import { FeatureMails } from './feature-mails.js';
import { MailOutages } from './mail-outages.js';
import { MailRequests } from './mail-requests.js';
import { Mailer } from './mailer.service.js';
import { RecipientLimits } from './recipient-limits.js';

@Module({
  imports: [MailLinksModule],
  providers: [AccountMails, FeatureMails, MailOutages, MailRequests, Mailer, RecipientLimits],
  exports: [FeatureMails, MailRequests, RecipientLimits],
})
export class MailModule {}
