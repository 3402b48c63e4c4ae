import type { OnApplicationShutdown } from '@nestjs/common';
import type {
  AppLogsQuery,
  AppLogsResponse,
  AppSchedulesResponse,
  BusEvent,
  CallResponse,
  DeclaredSecret,
  EventDeliveriesQuery,
  EventDeliveriesResponse,
  EventDelivery,
  PurgeRequest,
  PurgeResponse,
  RunRequest,
  ScheduleRun,
  SecretDeletedResponse,
  SecretValue,
  SmokeTestRequest,
  SmokeTestResponse,
  WebhookDeliveriesQuery,
  WebhookDeliveriesResponse,
  WebhookDelivery,
  WebhookDeliveryDetail,
} from '@platform/contracts';
import { segments, ServiceClient, type CancellationSignal } from '@platform/platform';
import type { Registry as Metrics } from 'prom-client';

/** What the host needs beside the time that a run or a wait has. */
const MARGIN_MS = 2_000;
const SMOKE_TEST_MS = 32_000;
/** Behind the longest run. */
const SILENCE_TIMEOUT_MS = 200_000;
/**
 * A run or a wait for log lines keeps one until it ends, so there are more than may be under way: calls of users and of apps, as `Places`
 * bounds them.
 */
const CONNECTIONS = 4_000;

export interface ExtensionHostClientOptions {
  baseUrl: string;
  serviceToken: string;
  metrics: Metrics;
  /** How long calls are refused after five failures in a row, 5 s unless told. */
  probeAfterMs?: number;
}

/** Whose secrets of an app: the app's own, or those of a user. */
export type SecretOwner = { scope: 'app' } | { scope: 'user'; user_id: string; tenant_id: string };

/**
 * The host of extensions. Every method throws ServiceUnavailable when there is no proper answer (a 503 unless somebody catches
 * it), ApiError with `status` and `code` when the host refuses, and the reason of `signal` when that is aborted, which ends what was begun
 * at the host, too. Only what may be done twice is retried.
 */
export class ExtensionHostClient implements OnApplicationShutdown {
  private readonly service: ServiceClient;

  constructor(options: ExtensionHostClientOptions) {
    this.service = new ServiceClient({
      service: 'extension_host',
      silenceTimeoutMs: SILENCE_TIMEOUT_MS,
      connections: CONNECTIONS,
      ...options,
    });
  }

  onApplicationShutdown(): Promise<void> {
    return this.service.close();
  }

  /** Never made twice. A function that failed is an answer, too. @throws ApiError 404 `app_version.not_found`. */
  run(request: RunRequest, signal?: CancellationSignal): Promise<CallResponse> {
    const timeoutMs = request.timeout_ms + MARGIN_MS;
    return this.service.long('run', { method: 'POST', path: '/v1/internal/runs', body: request }, { timeoutMs, signal });
  }

  /** A function that failed is an answer, too. */
  smokeTest(request: SmokeTestRequest, signal?: CancellationSignal): Promise<SmokeTestResponse> {
    const sent = { method: 'POST' as const, path: '/v1/internal/smoke-tests', body: request };
    return this.service.long('smokeTest', sent, { timeoutMs: SMOKE_TEST_MS, signal });
  }

  /** Those that the app declares, of the scope of the owner. */
  listSecrets(appId: string, owner: SecretOwner): Promise<DeclaredSecret[]> {
    return this.service.repeatable('listSecrets', { method: 'GET', path: segments`/v1/internal/apps/${appId}/secrets`, query: owner });
  }

  /** @throws ApiError 404 when it is not declared, or not set. */
  getSecret(appId: string, name: string, owner: SecretOwner): Promise<SecretValue> {
    return this.service.repeatable('getSecret', {
      method: 'GET',
      path: segments`/v1/internal/apps/${appId}/secrets/${name}`,
      query: owner,
    });
  }

  /** @throws ApiError 404 when it is not declared, 4xx when the value is not allowed. */
  async setSecret(appId: string, name: string, owner: SecretOwner, value: string): Promise<void> {
    await this.service.repeatable('setSecret', {
      method: 'PUT',
      path: segments`/v1/internal/apps/${appId}/secrets/${name}`,
      query: owner,
      body: { value },
    });
  }

  /** Made once, since a second time it says that there was none. @throws ApiError 404 when it is not declared. */
  deleteSecret(appId: string, name: string, owner: SecretOwner): Promise<SecretDeletedResponse> {
    return this.service.once('deleteSecret', {
      method: 'DELETE',
      path: segments`/v1/internal/apps/${appId}/secrets/${name}`,
      query: owner,
    });
  }

  /** Waits for a line for up to `wait_seconds`. */
  logs(appId: string, query: AppLogsQuery, signal?: CancellationSignal): Promise<AppLogsResponse> {
    const { after, limit, level, kind, handler, request_id, wait_seconds } = query;
    return this.service.long(
      'logs',
      {
        method: 'GET',
        path: segments`/v1/internal/apps/${appId}/logs`,
        query: { after, limit, level, kind, handler, request_id, wait_seconds },
      },
      { timeoutMs: wait_seconds * 1_000 + MARGIN_MS, signal },
    );
  }

  listWebhookDeliveries(appId: string, { status, cursor, limit }: WebhookDeliveriesQuery): Promise<WebhookDeliveriesResponse> {
    return this.service.repeatable('listWebhookDeliveries', {
      method: 'GET',
      path: segments`/v1/internal/apps/${appId}/webhook-deliveries`,
      query: { status, cursor, limit },
    });
  }

  /** @throws ApiError 404. */
  getWebhookDelivery(appId: string, deliveryId: string): Promise<WebhookDeliveryDetail> {
    return this.service.repeatable('getWebhookDelivery', {
      method: 'GET',
      path: segments`/v1/internal/apps/${appId}/webhook-deliveries/${deliveryId}`,
    });
  }

  /** Never made twice: each time the webhook handles it anew. @throws ApiError 404. */
  replayWebhookDelivery(appId: string, deliveryId: string): Promise<WebhookDelivery> {
    return this.service.once('replayWebhookDelivery', {
      method: 'POST',
      path: segments`/v1/internal/apps/${appId}/webhook-deliveries/${deliveryId}/replay`,
    });
  }

  /** With their last runs. */
  listSchedules(appId: string): Promise<AppSchedulesResponse> {
    return this.service.repeatable('listSchedules', { method: 'GET', path: segments`/v1/internal/apps/${appId}/schedules` });
  }

  /** Never made twice: each time there is another run. @throws ApiError 404, 409. */
  runSchedule(appId: string, name: string): Promise<ScheduleRun> {
    return this.service.once('runSchedule', { method: 'POST', path: segments`/v1/internal/apps/${appId}/schedules/${name}/run` });
  }

  listEventDeliveries(appId: string, { status, cursor, limit }: EventDeliveriesQuery): Promise<EventDeliveriesResponse> {
    return this.service.repeatable('listEventDeliveries', {
      method: 'GET',
      path: segments`/v1/internal/apps/${appId}/event-deliveries`,
      query: { status, cursor, limit },
    });
  }

  /** Never made twice: each time it is handled anew. @throws ApiError 404, 409. */
  replayEventDelivery(appId: string, eventId: string): Promise<EventDelivery> {
    return this.service.once('replayEventDelivery', {
      method: 'POST',
      path: segments`/v1/internal/apps/${appId}/event-deliveries/${eventId}/replay`,
    });
  }

  /** Puts an event on the bus; one that is there already changes nothing. */
  async postEvent(event: BusEvent): Promise<void> {
    await this.service.repeatable('postEvent', { method: 'POST', path: '/v1/internal/events', body: event });
  }

  /** Deletes some of what an app keeps for a user; again until there is no more. */
  purge(request: PurgeRequest): Promise<PurgeResponse> {
    return this.service.repeatable('purge', { method: 'POST', path: '/v1/internal/purges', body: request });
  }
}
