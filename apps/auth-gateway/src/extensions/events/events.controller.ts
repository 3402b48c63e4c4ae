import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import {
  EventAudienceRequest,
  type EventAudienceResponse,
  EventSubscribersRequest,
  type EventSubscribersResponse,
  PublishedEventRequest,
} from '@platform/contracts';
import { Access } from '@platform/guards';
import { EventSubscribersService } from './event-subscribers.service.js';
import { PlatformEventsService } from './platform-events.service.js';

/** Accepts events from the host, and tells it which apps receive an event. */
@ApiExcludeController()
@Controller('v1/internal/events')
export class EventsController {
  constructor(
    private readonly events: PlatformEventsService,
    private readonly subscribers: EventSubscribersService,
  ) {}

  @Post()
  @HttpCode(204)
  @Access('service', { permission: 'extension-host' })
  acceptEvent(@Body() event: PublishedEventRequest): Promise<void> {
    return this.events.acceptEvent(event);
  }

  @Post('subscribers')
  @HttpCode(200)
  @Access('service', { permission: 'extension-host' })
  findSubscribers(@Body() request: EventSubscribersRequest): Promise<EventSubscribersResponse> {
    return this.subscribers.findSubscribers(request);
  }

  @Post('audience')
  @HttpCode(200)
  @Access('service', { permission: 'extension-host' })
  findAudience(@Body() request: EventAudienceRequest): Promise<EventAudienceResponse> {
    return this.subscribers.listAudience(request);
  }
}
