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
import { EndpointDeliveriesService } from './endpoint-deliveries.service.js';
import { EventReplaysService } from './event-replays.service.js';
import { WebhookEndpointsService } from './webhook-endpoints.service.js';

/** Limit per administrator for tests and repeated deliveries. */
const SENDING_LIMIT = policy('webhook-endpoint-sendings', 60, MINUTE);
/** Lower limit, because a replay can search many events of the platform. */
const REPLAY_LIMIT = policy('webhook-endpoint-replays', 10, MINUTE);
const ADMINISTRATORS = { permission: 'webhooks' } as const;

@ApiTags('Webhook endpoints')
@Controller('v1/webhook-endpoints')
export class WebhookEndpointsController {
  constructor(
    private readonly endpoints: WebhookEndpointsService,
    private readonly deliveries: EndpointDeliveriesService,
    private readonly replays: EventReplaysService,
  ) {}

  /** Lists the webhook endpoints of the tenant, oldest first. */
  @Get()
  @Access('adminOrService', ADMINISTRATORS)
  @RefusesUnknownQueryKeys()
  listWebhookEndpoints(@CurrentTenant() tenantId: string): Promise<WebhookEndpointsResponse> {
    return this.endpoints.listEndpoints(tenantId);
  }

  /**
   * Creates a webhook endpoint: events are posted to its URL. An API key cannot create one, because
   * the endpoint would outlive the key.
   *
   * Messages are signed as [Standard Webhooks](https://www.standardwebhooks.com) defines, with the
   * `secret` of the answer, which cannot be read again. The endpoint receives events from now on,
   * at least once and in no certain order. A message that is not answered with 2xx within 15
   * seconds is sent again for three days. A tenant with 20 endpoints is answered 409
   * `webhook_endpoint.too_many`, a URL that is not public 422.
   */
  @Post()
  @Access('adminOrService', ADMINISTRATORS)
  createWebhookEndpoint(
    @CurrentCaller() caller: Caller,
    @CurrentTenant() tenantId: string,
    @Body() request: CreateWebhookEndpointRequest,
  ): Promise<WebhookEndpointWithSecret> {
    return this.endpoints.createEndpoint(caller, tenantId, request);
  }

  /**
   * Reads a webhook endpoint of the tenant. An unknown one is answered 404
   * `webhook_endpoint.not_found`.
   */
  @Get(':endpoint_id')
  @Access('adminOrService', ADMINISTRATORS)
  getWebhookEndpoint(
    @CurrentTenant() tenantId: string,
    @Param() { endpoint_id }: WebhookEndpointPath,
  ): Promise<WebhookEndpoint> {
    return this.endpoints.getEndpoint(tenantId, endpoint_id);
  }

  /**
   * Changes a webhook endpoint. An API key cannot change one (403 `webhook_endpoint.key_refused`).
   * Absent fields stay as they are. An endpoint that is enabled again receives events from then on;
   * use replay for events that it missed. The deliveries that wait for an endpoint fail when it is
   * disabled. An unknown endpoint is answered 404 `webhook_endpoint.not_found`.
   */
  @Patch(':endpoint_id')
  @Access('adminOrService', ADMINISTRATORS)
  updateWebhookEndpoint(
    @CurrentCaller() caller: Caller,
    @CurrentTenant() tenantId: string,
    @Param() { endpoint_id }: WebhookEndpointPath,
    @Body() request: UpdateWebhookEndpointRequest,
  ): Promise<WebhookEndpoint> {
    return this.endpoints.updateEndpoint(caller, tenantId, endpoint_id, request);
  }

  /**
   * Deletes a webhook endpoint and its deliveries. An API key cannot delete one (403
   * `webhook_endpoint.key_refused`). An unknown endpoint is answered 404
   * `webhook_endpoint.not_found`.
   */
  @Delete(':endpoint_id')
  @Access('adminOrService', ADMINISTRATORS)
  deleteWebhookEndpoint(
    @CurrentCaller() caller: Caller,
    @CurrentTenant() tenantId: string,
    @Param() { endpoint_id }: WebhookEndpointPath,
  ): Promise<DeletedWebhookEndpointResponse> {
    return this.endpoints.deleteEndpoint(caller, tenantId, endpoint_id);
  }

  /**
   * Gives the endpoint a new secret, which only this answer contains. An API key cannot rotate
   * secrets (403 `webhook_endpoint.key_refused`). The previous secret also signs for 24 more hours.
   * An unknown endpoint is answered 404 `webhook_endpoint.not_found`.
   */
  @Post(':endpoint_id/rotate-secret')
  @HttpCode(200)
  @Access('adminOrService', ADMINISTRATORS)
  rotateWebhookSecret(
    @CurrentCaller() caller: Caller,
    @CurrentTenant() tenantId: string,
    @Param() { endpoint_id }: WebhookEndpointPath,
  ): Promise<WebhookEndpointWithSecret> {
    return this.endpoints.rotateSecret(caller, tenantId, endpoint_id);
  }

  /**
   * Sends a `webhook_endpoint.test` message, whichever events the endpoint has chosen. It is
   * retried like an event. A disabled endpoint is answered 409 `webhook_endpoint.disabled`.
   */
  @Post(':endpoint_id/test')
  @HttpCode(202)
  @Access('adminOrService', ADMINISTRATORS)
  @UserLimit(SENDING_LIMIT)
  testWebhookEndpoint(
    @CurrentTenant() tenantId: string,
    @Param() { endpoint_id }: WebhookEndpointPath,
  ): Promise<WebhookEndpointDelivery> {
    return this.deliveries.sendTest(tenantId, endpoint_id);
  }

  /**
   * Sends the events of a period that the endpoint has not received. Only events of the last 24
   * hours can be sent again. One request sends at most 1000; continue with the `cursor` of the
   * answer until it is null. A disabled endpoint is answered 409 `webhook_endpoint.disabled`, a
   * second replay of the tenant at the same time 429.
   */
  @Post(':endpoint_id/replay')
  @HttpCode(202)
  @Access('adminOrService', ADMINISTRATORS)
  @UserLimit(REPLAY_LIMIT)
  replayWebhookEvents(
    @CurrentTenant() tenantId: string,
    @Param() { endpoint_id }: WebhookEndpointPath,
    @Body() request: ReplayEventsRequest,
  ): Promise<ReplayEventsResponse> {
    return this.replays.replayEvents(tenantId, endpoint_id, request);
  }

  /**
   * Lists deliveries to an endpoint, newest first, including those that wait. They are deleted 7
   * days after they arrived or failed. An unknown endpoint is answered 404
   * `webhook_endpoint.not_found`.
   */
  @Get(':endpoint_id/deliveries')
  @Access('adminOrService', ADMINISTRATORS)
  listWebhookEndpointDeliveries(
    @CurrentTenant() tenantId: string,
    @Param() { endpoint_id }: WebhookEndpointPath,
    @Query() query: WebhookEndpointDeliveriesQuery,
  ): Promise<WebhookEndpointDeliveriesResponse> {
    return this.deliveries.listDeliveries(tenantId, endpoint_id, query);
  }

  /** Reads a delivery with its posted body. An unknown one is answered 404. */
  @Get(':endpoint_id/deliveries/:delivery_id')
  @Access('adminOrService', ADMINISTRATORS)
  getWebhookEndpointDelivery(
    @CurrentTenant() tenantId: string,
    @Param() path: WebhookEndpointDeliveryPath,
  ): Promise<WebhookEndpointDeliveryDetail> {
    return this.deliveries.getDelivery(tenantId, path);
  }

  /**
   * Sends a delivery again that arrived or failed, with the same `webhook-id`. It is retried like a
   * new one. A delivery that is still being tried is answered 409
   * `webhook_endpoint.delivery_pending`, one to a disabled endpoint `webhook_endpoint.disabled`.
   */
  @Post(':endpoint_id/deliveries/:delivery_id/replay')
  @HttpCode(202)
  @Access('adminOrService', ADMINISTRATORS)
  @UserLimit(SENDING_LIMIT)
  replayWebhookEndpointDelivery(
    @CurrentTenant() tenantId: string,
    @Param() path: WebhookEndpointDeliveryPath,
  ): Promise<WebhookEndpointDelivery> {
    return this.deliveries.replayDelivery(tenantId, path);
  }
}
