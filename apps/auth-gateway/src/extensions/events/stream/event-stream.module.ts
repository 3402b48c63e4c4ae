import { Module, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import { CredentialsModule } from '../../../identity/credentials/credentials.module.js';
import { TokensModule } from '../../../identity/tokens/tokens.module.js';
import { EventPositionsModule } from '../../../kernel/events/event-positions.module.js';
import { EventCursor } from './event-cursor.service.js';
import { EventStreamController } from './event-stream.controller.js';
import { EventStreams } from './event-streams.service.js';
import { StreamCredentials } from './stream-credentials.service.js';
import { StreamFigures } from './stream-stats.service.js';
import { StreamRequests } from './stream-requests.service.js';
import { TokenOfQuery } from './query-token.middleware.js';

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
