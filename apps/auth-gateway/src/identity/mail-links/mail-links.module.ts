import { Module } from '@nestjs/common';
import { MailTokenCleanup } from './mail-token-cleanup.service.js';

@Module({ providers: [MailTokenCleanup] })
export class MailLinksModule {}
