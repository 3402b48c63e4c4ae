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

/** Time that the host needs in addition to the timeout of the run or of the wait. */
const MARGIN_MS = 2_000;
const SMOKE_TEST_MS = 32_000;
/** Longer than the longest run. */
const SILENCE_TIMEOUT_MS = 200_000;
/**
 * A run or a wait for log lines keeps one connection until it ends. So this is above the limits
 * that `Places` sets on concurrent calls of users and of apps.
 */
const CONNECTIONS = 4_000;

export interface ExtensionHostClientOptions {
  baseUrl: string;
  serviceToken: string;
  metrics: Metrics;
  /** Milliseconds during which calls are refused after five failures in a row. Default: 5,000. */
  probeAfterMs?: number;
}

/** Owner of a secret of an app: the app itself or a user. */
export type SecretOwner = { scope: 'app' } | { scope: 'user'; user_id: string; tenant_id: string };

/**
 * Client of the host. Every method throws ServiceUnavailable (503 if not caught) if there is no
 * valid answer, ApiError with `status` and `code` if the host refuses, and the reason of `signal`
 * if that is aborted; an abort also ends the work on the host. Only calls that are safe to repeat
 * are retried.
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

  /**
   * Runs a function; never retried. A failed function is a normal answer. @throws ApiError 404
   * `app_version.not_found`.
   */
  run(request: RunRequest, signal?: CancellationSignal): Promise<CallResponse> {
    const timeoutMs = request.timeout_ms + MARGIN_MS;
    return this.service.long('run', { method: 'POST', path: '/v1/internal/runs', body: request }, { timeoutMs, signal });
  }

  /** Runs a smoke test; never retried. A failed function is a normal answer. */
  smokeTest(request: SmokeTestRequest, signal?: CancellationSignal): Promise<SmokeTestResponse> {
    const sent = { method: 'POST' as const, path: '/v1/internal/smoke-tests', body: request };
    return this.service.long('smokeTest', sent, { timeoutMs: SMOKE_TEST_MS, signal });
  }

  /** Secrets that the app declares for the scope of the owner. */
  listSecrets(appId: string, owner: SecretOwner): Promise<DeclaredSecret[]> {
    return this.service.repeatable('listSecrets', { method: 'GET', path: segments`/v1/internal/apps/${appId}/secrets`, query: owner });
  }

  /** @throws ApiError 404 if the secret is not declared or not set. */
  getSecret(appId: string, name: string, owner: SecretOwner): Promise<SecretValue> {
    return this.service.repeatable('getSecret', {
      method: 'GET',
      path: segments`/v1/internal/apps/${appId}/secrets/${name}`,
      query: owner,
    });
  }

  /** @throws ApiError 404 if the secret is not declared, 4xx if the value is invalid. */
  async setSecret(appId: string, name: string, owner: SecretOwner, value: string): Promise<void> {
    await this.service.repeatable('setSecret', {
      method: 'PUT',
      path: segments`/v1/internal/apps/${appId}/secrets/${name}`,
      query: owner,
      body: { value },
    });
  }

  /**
   * Never retried, because a second deletion reports that there was no secret. @throws ApiError 404
   * if the secret is not declared.
   */
  deleteSecret(appId: string, name: string, owner: SecretOwner): Promise<SecretDeletedResponse> {
    return this.service.once('deleteSecret', {
      method: 'DELETE',
      path: segments`/v1/internal/apps/${appId}/secrets/${name}`,
      query: owner,
    });
  }

  /** Log lines of the app; waits up to `wait_seconds` for a new line. */
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

  /** Never retried, because each replay runs the webhook handler again. @throws ApiError 404. */
  replayWebhookDelivery(appId: string, deliveryId: string): Promise<WebhookDelivery> {
    return this.service.once('replayWebhookDelivery', {
      method: 'POST',
      path: segments`/v1/internal/apps/${appId}/webhook-deliveries/${deliveryId}/replay`,
    });
  }

  /** Schedules of the app with their last runs. */
  listSchedules(appId: string): Promise<AppSchedulesResponse> {
    return this.service.repeatable('listSchedules', { method: 'GET', path: segments`/v1/internal/apps/${appId}/schedules` });
  }

  /** Never retried, because each request starts another run. @throws ApiError 404, 409. */
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

  /** Never retried, because each replay runs the event handler again. @throws ApiError 404, 409. */
  replayEventDelivery(appId: string, eventId: string): Promise<EventDelivery> {
    return this.service.once('replayEventDelivery', {
      method: 'POST',
      path: segments`/v1/internal/apps/${appId}/event-deliveries/${eventId}/replay`,
    });
  }

  /** Puts an event on the bus. Safe to retry: an event that exists already changes nothing. */
  async postEvent(event: BusEvent): Promise<void> {
    await this.service.repeatable('postEvent', { method: 'POST', path: '/v1/internal/events', body: event });
  }

  /**
   * Deletes a part of the documents that an app keeps for a user. Repeat it while `has_more` is
   * true.
   */
  purge(request: PurgeRequest): Promise<PurgeResponse> {
    return this.service.repeatable('purge', { method: 'POST', path: '/v1/internal/purges', body: request });
  }
}
