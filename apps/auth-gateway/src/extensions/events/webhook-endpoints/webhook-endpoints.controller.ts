import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  CreateWebhookEndpointRequest,
  DeletedWebhookEndpointResponse,
  ReplayEventsRequest,
  ReplayEventsResponse,
  UpdateWebhookEndpointRequest,
  WebhookEndpoint,
  WebhookEndpointDeliveriesQuery,
  WebhookEndpointDeliveriesResponse,
  WebhookEndpointDelivery,
  WebhookEndpointDeliveryDetail,
  WebhookEndpointDeliveryPath,
  WebhookEndpointPath,
  WebhookEndpointsResponse,
  WebhookEndpointWithSecret,
} from '@platform/contracts';
import { Access, CurrentCaller, UserLimit, type Caller } from '@platform/guards';
import { RefusesUnknownQueryKeys } from '@platform/platform';
import { MINUTE, policy } from '../../../kernel/rate-limits.js';
import { CurrentTenant } from '../../../organisation/current-tenant/current-tenant.js';
import { EndpointDeliveries } from './endpoint-deliveries.js';
import { EventReplays } from './event-replays.js';
import { WebhookEndpoints } from './webhook-endpoints.service.js';

/** Of an administrator: tests, and what is sent again. */
const SENDING_LIMIT = policy('webhook-endpoint-sendings', 60, MINUTE);
/** Each may look at many events of the platform. */
const REPLAY_LIMIT = policy('webhook-endpoint-replays', 10, MINUTE);
const ADMINISTRATORS = { permission: 'webhooks' } as const;

@ApiTags('Webhook endpoints')
@Controller('v1/webhook-endpoints')
export class WebhookEndpointsController {
  constructor(
    private readonly endpoints: WebhookEndpoints,
    private readonly deliveries: EndpointDeliveries,
    private readonly replays: EventReplays,
  ) {}

  /** The endpoints of the tenant, the oldest first. */
  @Get()
  @Access('adminOrService', ADMINISTRATORS)
  @RefusesUnknownQueryKeys()
  listWebhookEndpoints(@CurrentTenant() tenantId: string): Promise<WebhookEndpointsResponse> {
    return this.endpoints.list(tenantId);
  }

  /**
   * Has events posted to an address. It takes a session or a backend: an API key that is deleted would leave its endpoint behind.
   *
   * They are signed as [Standard Webhooks](https://www.standardwebhooks.com) says, by the `secret` of the answer, which cannot be read again. It gets what happens from now on, at least once and in no
   * certain order. What is not answered with 2xx within 15 seconds is tried again for three days.
   */
  @Post()
  @Access('adminOrService', ADMINISTRATORS)
  createWebhookEndpoint(
    @CurrentCaller() caller: Caller,
    @CurrentTenant() tenantId: string,
    @Body() request: CreateWebhookEndpointRequest,
  ): Promise<WebhookEndpointWithSecret> {
    return this.endpoints.create(caller, tenantId, request);
  }

  /** An endpoint of the tenant. */
  @Get(':endpoint_id')
  @Access('adminOrService', ADMINISTRATORS)
  getWebhookEndpoint(@CurrentTenant() tenantId: string, @Param() { endpoint_id }: WebhookEndpointPath): Promise<WebhookEndpoint> {
    return this.endpoints.get(tenantId, endpoint_id);
  }

  /** Changes a webhook endpoint, by a session or a backend. What is absent stays. Enabled again, it gets what happens from then on; replay brings what it has missed. */
  @Patch(':endpoint_id')
  @Access('adminOrService', ADMINISTRATORS)
  updateWebhookEndpoint(
    @CurrentCaller() caller: Caller,
    @CurrentTenant() tenantId: string,
    @Param() { endpoint_id }: WebhookEndpointPath,
    @Body() request: UpdateWebhookEndpointRequest,
  ): Promise<WebhookEndpoint> {
    return this.endpoints.update(caller, tenantId, endpoint_id, request);
  }

  /** Deletes an endpoint with all that is on its way to it, by a session or a backend. */
  @Delete(':endpoint_id')
  @Access('adminOrService', ADMINISTRATORS)
  deleteWebhookEndpoint(
    @CurrentCaller() caller: Caller,
    @CurrentTenant() tenantId: string,
    @Param() { endpoint_id }: WebhookEndpointPath,
  ): Promise<DeletedWebhookEndpointResponse> {
    return this.endpoints.delete(caller, tenantId, endpoint_id);
  }

  /** Gives the endpoint a new secret, by a session or a backend. The one before signs beside it for 24 hours more. */
  @Post(':endpoint_id/rotate-secret')
  @HttpCode(200)
  @Access('adminOrService', ADMINISTRATORS)
  rotateWebhookSecret(
    @CurrentCaller() caller: Caller,
    @CurrentTenant() tenantId: string,
    @Param() { endpoint_id }: WebhookEndpointPath,
  ): Promise<WebhookEndpointWithSecret> {
    return this.endpoints.rotate(caller, tenantId, endpoint_id);
  }

  /** Sends a `webhook_endpoint.test`, whatever the endpoint has chosen. It is tried as an event is. */
  @Post(':endpoint_id/test')
  @HttpCode(202)
  @Access('adminOrService', ADMINISTRATORS)
  @UserLimit(SENDING_LIMIT)
  testWebhookEndpoint(@CurrentTenant() tenantId: string, @Param() { endpoint_id }: WebhookEndpointPath): Promise<WebhookEndpointDelivery> {
    return this.deliveries.test(tenantId, endpoint_id);
  }

  /** Sends the events of a time, as far as the endpoint has not had them. Only those of the last 24 hours can be sent. */
  @Post(':endpoint_id/replay')
  @HttpCode(202)
  @Access('adminOrService', ADMINISTRATORS)
  @UserLimit(REPLAY_LIMIT)
  replayWebhookEvents(
    @CurrentTenant() tenantId: string,
    @Param() { endpoint_id }: WebhookEndpointPath,
    @Body() request: ReplayEventsRequest,
  ): Promise<ReplayEventsResponse> {
    return this.replays.replay(tenantId, endpoint_id, request);
  }

  /** What was sent to an endpoint, and what waits, the newest first. Kept for 7 days after it has arrived or failed. */
  @Get(':endpoint_id/deliveries')
  @Access('adminOrService', ADMINISTRATORS)
  listWebhookEndpointDeliveries(
    @CurrentTenant() tenantId: string,
    @Param() { endpoint_id }: WebhookEndpointPath,
    @Query() query: WebhookEndpointDeliveriesQuery,
  ): Promise<WebhookEndpointDeliveriesResponse> {
    return this.deliveries.list(tenantId, endpoint_id, query);
  }

  /** A delivery with what is posted. */
  @Get(':endpoint_id/deliveries/:delivery_id')
  @Access('adminOrService', ADMINISTRATORS)
  getWebhookEndpointDelivery(
    @CurrentTenant() tenantId: string,
    @Param() path: WebhookEndpointDeliveryPath,
  ): Promise<WebhookEndpointDeliveryDetail> {
    return this.deliveries.get(tenantId, path);
  }

  /** Sends a delivery again that has failed or arrived, with the same `webhook-id`, and tries it as one that is new. */
  @Post(':endpoint_id/deliveries/:delivery_id/replay')
  @HttpCode(202)
  @Access('adminOrService', ADMINISTRATORS)
  @UserLimit(SENDING_LIMIT)
  replayWebhookEndpointDelivery(
    @CurrentTenant() tenantId: string,
    @Param() path: WebhookEndpointDeliveryPath,
  ): Promise<WebhookEndpointDelivery> {
    return this.deliveries.replay(tenantId, path);
  }
}
