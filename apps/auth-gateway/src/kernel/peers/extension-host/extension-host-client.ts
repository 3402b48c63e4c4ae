import type { OnApplicationShutdown } from '@nestjs/common';
import { call } from '@platform/client';
import type {
  AppLogsQuery,
  AppLogsResponse,
  AppSchedulesResponse,
  BusEvent,
  CallResponse,
  DeclaredSecret,
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
import {
  connectService,
  segments,
  ServiceCalls,
  type CancellationSignal,
  type JsonRequest,
  type ServiceConnection,
} from '@platform/platform';
import type { Registry as Metrics } from 'prom-client';
import { isOutage } from '../service-outage.js';
import { ExtensionHostUnavailable } from './extension-host.errors.js';

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
 * The host of extensions. Every method throws ExtensionHostUnavailable when there is no proper answer (a 503 unless somebody catches
 * it), ApiError with `status` and `code` when the host refuses, and the reason of `signal` when that is aborted, which ends what was begun
 * at the host, too. Only what may be done twice is retried.
 */
export class ExtensionHostClient implements OnApplicationShutdown {
  private readonly calls: ServiceCalls;
  private readonly connection: ServiceConnection;
  private readonly baseUrl: string;

  constructor({ baseUrl, serviceToken, metrics, probeAfterMs }: ExtensionHostClientOptions) {
    this.baseUrl = baseUrl;
    this.calls = new ServiceCalls({
      service: 'extension_host',
      metrics,
      isOutage,
      toUnavailable: (cause) => new ExtensionHostUnavailable(cause),
      probeAfterMs,
      isReady: (time) => this.send('GET', '/readyz', time),
    });
    this.connection = connectService(serviceToken, { silenceTimeoutMs: SILENCE_TIMEOUT_MS, connections: CONNECTIONS });
  }

  onApplicationShutdown(): Promise<void> {
    this.calls.close();
    return this.connection.close();
  }

  /** Never made twice. A function that failed is an answer, too. @throws ApiError 404 `app_version.not_found`. */
  run(request: RunRequest, signal?: CancellationSignal): Promise<CallResponse> {
    return this.long('run', (time) => this.send<CallResponse>('POST', '/v1/internal/runs', time, { body: request }), {
      timeoutMs: request.timeout_ms + MARGIN_MS,
      signal,
    });
  }

  /** A function that failed is an answer, too. */
  smokeTest(request: SmokeTestRequest, signal?: CancellationSignal): Promise<SmokeTestResponse> {
    return this.long('smokeTest', (time) => this.send<SmokeTestResponse>('POST', '/v1/internal/smoke-tests', time, { body: request }), {
      timeoutMs: SMOKE_TEST_MS,
      signal,
    });
  }

  /** Those that the app declares, of the scope of the owner. */
  listSecrets(appId: string, owner: SecretOwner): Promise<DeclaredSecret[]> {
    return this.calls.repeatable('listSecrets', (time) =>
      this.send('GET', segments`/v1/internal/apps/${appId}/secrets`, time, { query: owner }),
    );
  }

  /** @throws ApiError 404 when it is not declared, or not set. */
  getSecret(appId: string, name: string, owner: SecretOwner): Promise<SecretValue> {
    return this.calls.repeatable('getSecret', (time) =>
      this.send('GET', segments`/v1/internal/apps/${appId}/secrets/${name}`, time, { query: owner }),
    );
  }

  /** @throws ApiError 404 when it is not declared, 4xx when the value is not allowed. */
  async setSecret(appId: string, name: string, owner: SecretOwner, value: string): Promise<void> {
    await this.calls.repeatable('setSecret', (time) =>
      this.send('PUT', segments`/v1/internal/apps/${appId}/secrets/${name}`, time, { query: owner, body: { value } }),
    );
  }

  /** Made once, since a second time it says that there was none. @throws ApiError 404 when it is not declared. */
  deleteSecret(appId: string, name: string, owner: SecretOwner): Promise<SecretDeletedResponse> {
    return this.calls.once('deleteSecret', (time) =>
      this.send('DELETE', segments`/v1/internal/apps/${appId}/secrets/${name}`, time, { query: owner }),
    );
  }

  /** Waits for a line for up to `wait_seconds`. */
  logs(appId: string, query: AppLogsQuery, signal?: CancellationSignal): Promise<AppLogsResponse> {
    const { after, limit, level, kind, handler, request_id, wait_seconds } = query;
    return this.long(
      'logs',
      (time) =>
        this.send<AppLogsResponse>('GET', segments`/v1/internal/apps/${appId}/logs`, time, {
          query: { after, limit, level, kind, handler, request_id, wait_seconds },
        }),
      { timeoutMs: wait_seconds * 1_000 + MARGIN_MS, signal },
    );
  }

  listWebhookDeliveries(appId: string, { status, cursor, limit }: WebhookDeliveriesQuery): Promise<WebhookDeliveriesResponse> {
    return this.calls.repeatable('listWebhookDeliveries', (time) =>
      this.send('GET', segments`/v1/internal/apps/${appId}/webhook-deliveries`, time, { query: { status, cursor, limit } }),
    );
  }

  /** @throws ApiError 404. */
  getWebhookDelivery(appId: string, deliveryId: string): Promise<WebhookDeliveryDetail> {
    return this.calls.repeatable('getWebhookDelivery', (time) =>
      this.send('GET', segments`/v1/internal/apps/${appId}/webhook-deliveries/${deliveryId}`, time),
    );
  }

  /** Never made twice: each time the webhook handles it anew. @throws ApiError 404. */
  replayWebhookDelivery(appId: string, deliveryId: string): Promise<WebhookDelivery> {
    return this.calls.once('replayWebhookDelivery', (time) =>
      this.send('POST', segments`/v1/internal/apps/${appId}/webhook-deliveries/${deliveryId}/replay`, time),
    );
  }

  /** With their last runs. */
  listSchedules(appId: string): Promise<AppSchedulesResponse> {
    return this.calls.repeatable('listSchedules', (time) => this.send('GET', segments`/v1/internal/apps/${appId}/schedules`, time));
  }

  /** Never made twice: each time there is another run. @throws ApiError 404, 409. */
  runSchedule(appId: string, name: string): Promise<ScheduleRun> {
    return this.calls.once('runSchedule', (time) => this.send('POST', segments`/v1/internal/apps/${appId}/schedules/${name}/run`, time));
  }

  listEventDeliveries(appId: string, { status, cursor, limit }: WebhookDeliveriesQuery): Promise<EventDeliveriesResponse> {
    return this.calls.repeatable('listEventDeliveries', (time) =>
      this.send('GET', segments`/v1/internal/apps/${appId}/event-deliveries`, time, { query: { status, cursor, limit } }),
    );
  }

  /** Never made twice: each time it is handled anew. @throws ApiError 404, 409. */
  replayEventDelivery(appId: string, eventId: string): Promise<EventDelivery> {
    return this.calls.once('replayEventDelivery', (time) =>
      this.send('POST', segments`/v1/internal/apps/${appId}/event-deliveries/${eventId}/replay`, time),
    );
  }

  /** Puts an event on the bus; one that is there already changes nothing. */
  async postEvent(event: BusEvent): Promise<void> {
    await this.calls.repeatable('postEvent', (time) => this.send('POST', '/v1/internal/events', time, { body: event }));
  }

  /** Deletes some of what an app keeps for a user; again until there is no more. */
  purge(request: PurgeRequest): Promise<PurgeResponse> {
    return this.calls.repeatable('purge', (time) => this.send('POST', '/v1/internal/purges', time, { body: request }));
  }

  private long<T>(
    operation: string,
    work: (time: CancellationSignal) => Promise<T>,
    options: { timeoutMs: number; signal?: CancellationSignal | undefined },
  ): Promise<T> {
    return this.calls.long(operation, work, { ...options, probe: (time) => this.send('GET', '/readyz', time) });
  }

  private send<Data>(
    method: JsonRequest['method'],
    target: string,
    signal: CancellationSignal,
    sent: Pick<JsonRequest, 'query' | 'body'> = {},
  ): Promise<Data> {
    return call(this.connection.sendJson<Data>({ method, url: this.baseUrl + target, signal, ...sent }));
  }
}
