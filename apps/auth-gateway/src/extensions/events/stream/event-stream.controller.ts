import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiProduces, ApiTags } from '@nestjs/swagger';
import { EventStreamQuery, EventStreamStatsResponse } from '@platform/contracts';
import { Access, CurrentCaller, UserLimit, type Caller } from '@platform/guards';
import { RefusesUnknownQueryKeys } from '@platform/platform';
import type { Request, Response } from 'express';
import { MINUTE, policy } from '../../../kernel/rate-limits.js';
import { EventStreamsService } from './event-streams.service.js';
import { StreamStatsService } from './stream-stats.service.js';
import { StreamRequestsService } from './stream-requests.service.js';

/**
 * Limit per user. Each new stream reads the events that its client missed; clients reconnect about
 * every ten minutes.
 */
const STREAM_LIMIT = policy('event-streams', 120, MINUTE);

@ApiTags('Events')
@Controller('v1/events')
export class EventStreamController {
  constructor(
    private readonly requests: StreamRequestsService,
    private readonly streams: EventStreamsService,
    private readonly figures: StreamStatsService,
  ) {}

  /**
   * Follows events as they happen.
   *
   * The answer is a stream of Server-Sent Events. Each event has an `id` and one line of `data`: an
   * object with `type`, `payload` and `ts`. A user gets their own events. A backend gets the events
   * of a tenant, or with `user_id` or `X-Acting-User` those of that user.
   *
   * Reconnect with `Last-Event-ID` (as a header, or as `last_event_id`) to get the events of the
   * last 24 hours that you missed. `stream.reset` says that you missed more than that: read the
   * data that you show again. `stream.closed` is the last event of a stream; its `reason` is
   * `token_expired`, `session_ended`, `time_is_up` (after about ten minutes) or `shutting_down`.
   * The server disconnects a client that leaves 256 KiB unread. A user can have 20 streams on each
   * process of the gateway; one more is answered 429 `stream.too_many`.
   */
  @Get('stream')
  @Access('bearerOrService', { keyScope: 'events:read', permission: 'events' })
  @UserLimit(STREAM_LIMIT)
  @RefusesUnknownQueryKeys()
  @ApiHeader({
    name: 'Last-Event-ID',
    description: 'The `id` of the last event that you received. The stream continues after it.',
    required: false,
  })
  @ApiProduces('text/event-stream')
  @ApiOkResponse({ description: 'Events, until the stream ends', schema: { type: 'string', format: 'event-stream' } })
  async followEvents(
    @Query() query: EventStreamQuery,
    @CurrentCaller() caller: Caller,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const wanted = await this.requests.resolveRequest(query, caller, request);
    // Express calls this handler for HEAD, too, and the answer to HEAD must end.
    if (request.method === 'HEAD') response.type('text/event-stream').end();
    else await this.streams.follow(response, wanted);
  }

  /** Reads the number of clients that follow events, on all processes together. */
  @Get('stats')
  @Access('service', { permission: 'events' })
  getStreamStats(): Promise<EventStreamStatsResponse> {
    return this.figures.getStats();
  }
}
