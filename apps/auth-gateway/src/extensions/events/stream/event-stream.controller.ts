import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiProduces, ApiTags } from '@nestjs/swagger';
import { EventStreamQuery, EventStreamStatsResponse } from '@platform/contracts';
import { Access, CurrentCaller, UserLimit, type Caller } from '@platform/guards';
import { RefusesUnknownQueryKeys } from '@platform/platform';
import type { Request, Response } from 'express';
import { MINUTE, policy } from '../../../kernel/rate-limits.js';
import { EventStreams } from './event-streams.js';
import { StreamFigures } from './stream-figures.js';
import { StreamRequests } from './stream-requests.js';

/** Per user. Each new stream reads what its client missed; clients come back about every ten minutes. */
const STREAM_LIMIT = policy('event-streams', 120, MINUTE);

@ApiTags('Events')
@Controller('v1/events')
export class EventStreamController {
  constructor(
    private readonly requests: StreamRequests,
    private readonly streams: EventStreams,
    private readonly figures: StreamFigures,
  ) {}

  /**
   * Follow events as they happen.
   *
   * Server-Sent Events. Each has an `id` and one line of `data`: an object with `type`, `payload` and `ts`. A user gets their own events. A trusted backend gets
   * those of a tenant, or with `user_id` or `X-Acting-User` those of that user.
   *
   * Come back with `Last-Event-ID` (a header, or `last_event_id`) and you get what you missed of the last 24 hours; `stream.reset` says that it was more, so read anew
   * what you show. `stream.closed` is the last event of a stream; its `reason` is `token_expired`, `session_ended`, `time_is_up` (after about ten minutes) or
   * `shutting_down`. A client that leaves 256 KiB unread is cut off. A user has at most 20 streams at a process.
   */
  @Get('stream')
  @Access('bearerOrService', { keyScope: 'events:read', permission: 'events' })
  @UserLimit(STREAM_LIMIT)
  @RefusesUnknownQueryKeys()
  @ApiHeader({
    name: 'Last-Event-ID',
    description: 'The `id` of the last event that you had: you get what came after it.',
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
    const wanted = await this.requests.read(query, caller, request);
    // Express gives HEAD to the handler of GET, and its answer has to end.
    if (request.method === 'HEAD') response.type('text/event-stream').end();
    else await this.streams.follow(response, wanted);
  }

  /** How many clients follow events, at all processes together. */
  @Get('stats')
  @Access('service', { permission: 'events' })
  getStreamStats(): Promise<EventStreamStatsResponse> {
    return this.figures.read();
  }
}
