import { Module } from '@nestjs/common';
import { MailTokenCleanup } from './mail-token-cleanup.js';

/** The links in mails. */
@Module({ providers: [MailTokenCleanup] })
export class MailLinksModule {}
