import { Module, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import { CredentialsModule } from '../../../identity/credentials/credentials.module.js';
import { TokensModule } from '../../../identity/tokens/tokens.module.js';
import { EventPositionsModule } from '../../../kernel/events/event-positions.module.js';
import { EventCursor } from './event-cursor.js';
import { EventStreamController } from './event-stream.controller.js';
import { EventStreams } from './event-streams.js';
import { StreamCredentials } from './stream-credentials.js';
import { StreamFigures } from './stream-figures.js';
import { StreamRequests } from './stream-requests.js';
import { TokenOfQuery } from './token-of-query.js';

/** Event streams for users and backends. */
@Module({
  imports: [CredentialsModule, EventPositionsModule, TokensModule],
  controllers: [EventStreamController],
  providers: [EventCursor, EventStreams, StreamCredentials, StreamFigures, StreamRequests, TokenOfQuery],
})
export class EventStreamModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(TokenOfQuery).forRoutes('v1/events/stream');
  }
}
