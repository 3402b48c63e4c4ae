import { Module } from '@nestjs/common';
import { MailLinksModule } from '../mail-links/mail-links.module.js';
import { AccountMails } from './account-mails.worker.js';
import { FeatureMails } from './feature-mails.registry.js';
import { MailOutages } from './mail-outages.service.js';
import { MailRequests } from './mail-requests.service.js';
import { Mailer } from './mailer.service.js';
import { RecipientLimits } from './recipient-limits.service.js';

@Module({
  imports: [MailLinksModule],
  providers: [AccountMails, FeatureMails, MailOutages, MailRequests, Mailer, RecipientLimits],
  exports: [FeatureMails, MailRequests, RecipientLimits],
})
export class MailModule {}
