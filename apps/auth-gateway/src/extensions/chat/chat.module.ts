import { Module } from '@nestjs/common';
import { RunGrantsModule } from '../run-grants/run-grants.module.js';
import { ChatMessagesService } from './chat-messages.service.js';

/** Messages of apps to their users. */
@Module({ imports: [RunGrantsModule], providers: [ChatMessagesService], exports: [ChatMessagesService] })
export class ChatModule {}
