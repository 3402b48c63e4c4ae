import { Module, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import { CredentialsModule } from '../../../identity/credentials/credentials.module.js';
import { TokensModule } from '../../../identity/tokens/tokens.module.js';
import { EventPositionsModule } from '../../../kernel/events/event-positions.module.js';
import { EventCursorService } from './event-cursor.service.js';
import { EventStreamController } from './event-stream.controller.js';
import { EventStreamsService } from './event-streams.service.js';
import { StreamCredentialsService } from './stream-credentials.service.js';
import { StreamStatsService } from './stream-stats.service.js';
import { StreamRequestsService } from './stream-requests.service.js';
import { QueryTokenMiddleware } from './query-token.middleware.js';

/** Event streams for users and backends. */
@Module({
  imports: [CredentialsModule, EventPositionsModule, TokensModule],
  controllers: [EventStreamController],
  providers: [
    EventCursorService,
    EventStreamsService,
    StreamCredentialsService,
    StreamStatsService,
    StreamRequestsService,
    QueryTokenMiddleware,
  ],
})
export class EventStreamModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(QueryTokenMiddleware).forRoutes('v1/events/stream');
  }
}
