import { Module } from '@nestjs/common';
import { MailTokenLifetimes } from './mail-token-cleanup.js';

/** The links in mails. */
@Module({ providers: [MailTokenLifetimes] })
export class MailLinksModule {}
