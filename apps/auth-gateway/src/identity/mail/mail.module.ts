import { Module } from '@nestjs/common';
import { MailLinksModule } from '../mail-links/mail-links.module.js';
import { AccountMailsWorker } from './account-mails.worker.js';
import { FeatureMailsRegistry } from './feature-mails.registry.js';
import { MailOutagesService } from './mail-outages.service.js';
import { MailRequestsService } from './mail-requests.service.js';
import { MailerService } from './mailer.service.js';
import { RecipientLimitsService } from './recipient-limits.service.js';

@Module({
  imports: [MailLinksModule],
  providers: [
    AccountMailsWorker,
    FeatureMailsRegistry,
    MailOutagesService,
    MailRequestsService,
    MailerService,
    RecipientLimitsService,
  ],
  exports: [FeatureMailsRegistry, MailRequestsService, RecipientLimitsService],
})
export class MailModule {}
