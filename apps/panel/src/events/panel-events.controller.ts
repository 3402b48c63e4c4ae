import { Controller, Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ForOwnPages } from '../csrf/for-own-pages.js';
import { CurrentVisitor, type Visitor } from '../gateway/visitor.js';
import type { StoredSession } from '../sessions/session-store.js';
import { CurrentSession, SignedIn } from '../sessions/signed-in.js';
import { EventRelay } from './event-relay.js';

/** Live events of the signed-in user. */
@Controller('api/v1/events')
export class PanelEventsController {
  constructor(private readonly events: EventRelay) {}

  /**
   * The gateway's event stream of the user, for the `EventSource` of a page. Answers 429 if four
   * windows of this session follow events already at this process, and 503 if the process has too
   * many streams. HEAD gets an empty answer.
   */
  @Get('stream')
  @SignedIn()
  @ForOwnPages()
  async follow(
    @CurrentSession() session: StoredSession,
    @CurrentVisitor() visitor: Visitor,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    // Express uses the GET handler for HEAD, whose answer must end.
    if (request.method === 'HEAD') response.type('text/event-stream').end();
    else await this.events.follow({ session, visitor, lastEventId: request.get('last-event-id') }, response);
  }
}
