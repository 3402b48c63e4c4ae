import { Module } from '@nestjs/common';
import { RunGrantsModule } from '../run-grants/run-grants.module.js';
import { ChatMessages } from './chat-messages.service.js';

/** Messages of apps to their users. */
@Module({ imports: [RunGrantsModule], providers: [ChatMessages], exports: [ChatMessages] })
export class ChatModule {}
