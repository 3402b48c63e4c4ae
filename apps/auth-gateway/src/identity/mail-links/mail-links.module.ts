import { Module } from '@nestjs/common';
import { MailTokenCleanupService } from './mail-token-cleanup.service.js';

@Module({ providers: [MailTokenCleanupService] })
export class MailLinksModule {}
