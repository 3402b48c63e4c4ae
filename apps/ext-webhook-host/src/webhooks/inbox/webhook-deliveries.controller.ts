import { Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import {
  WebhookDeliveriesQuery,
  WebhookDeliveriesResponse,
  type WebhookDelivery,
  type WebhookDeliveryDetail,
} from '@platform/contracts';
import { Access } from '@platform/guards';
import { HostWebhookDeliveriesService } from './host-webhook-deliveries.service.js';

@ApiExcludeController()
@Controller('v1/internal/apps/:app_id/webhook-deliveries')
export class WebhookDeliveriesController {
  constructor(private readonly deliveries: HostWebhookDeliveriesService) {}

  @Get()
  @Access('service', { permission: 'app-data' })
  listWebhookDeliveries(
    @Param('app_id') appId: string,
    @Query() query: WebhookDeliveriesQuery,
  ): Promise<WebhookDeliveriesResponse> {
    return this.deliveries.listDeliveries(appId, query);
  }

  @Get(':delivery_id')
  @Access('service', { permission: 'app-data' })
  getWebhookDelivery(@Param('app_id') appId: string, @Param('delivery_id') id: string): Promise<WebhookDeliveryDetail> {
    return this.deliveries.getDelivery(appId, id);
  }

  @Post(':delivery_id/replay')
  @HttpCode(202)
  @Access('service', { permission: 'app-data' })
  replayWebhookDelivery(@Param('app_id') appId: string, @Param('delivery_id') id: string): Promise<WebhookDelivery> {
    return this.deliveries.replayDelivery(appId, id);
  }
}
