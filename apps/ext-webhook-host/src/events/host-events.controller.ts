import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import {
  BusEvent,
  EventDeliveriesQuery,
  EventDeliveryPath,
  type EventDeliveriesResponse,
  type EventDelivery,
} from '@platform/contracts';
import { Access } from '@platform/guards';
import { EventBusService } from '../kernel/event-bus/event-bus.service.js';
import { EventDeliveriesService } from './event-deliveries.service.js';

@ApiExcludeController()
@Controller('v1/internal')
export class HostEventsController {
  constructor(
    private readonly bus: EventBusService,
    private readonly deliveries: EventDeliveriesService,
  ) {}

  /**
   * Stores an event of the platform, and answers 204. Jobs deliver it to the apps that subscribe to
   * it. A retry with the same event does nothing.
   */
  @Post('events')
  @HttpCode(204)
  @Access('service', { permission: 'event-deliveries' })
  acceptEvent(@Body() event: BusEvent): Promise<void> {
    return this.bus.storePlatformEvent(event);
  }

  @Get('apps/:app_id/event-deliveries')
  @Access('service', { permission: 'event-deliveries' })
  listEventDeliveries(
    @Param('app_id') appId: string,
    @Query() query: EventDeliveriesQuery,
  ): Promise<EventDeliveriesResponse> {
    return this.deliveries.listDeliveries(appId, query);
  }

  @Post('apps/:app_id/event-deliveries/:event_id/replay')
  @HttpCode(202)
  @Access('service', { permission: 'event-deliveries' })
  replayEventDelivery(@Param() { app_id, event_id }: EventDeliveryPath): Promise<EventDelivery> {
    return this.deliveries.replayDelivery(app_id, event_id);
  }
}
