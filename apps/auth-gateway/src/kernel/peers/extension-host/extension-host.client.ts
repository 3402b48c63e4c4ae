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
 * that `ConcurrencyLimit` sets on concurrent calls of users and of apps.
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
 * Client of the host, the service that runs apps. Each method throws ServiceUnavailable (503 if not
 * caught) if there is no valid answer or calls are refused after failures, ApiError with `status`
 * and `code` if the host refuses, and the reason of `signal` if that is aborted. An abort also ends
 * a run and a wait for log lines on the host. Only calls that are safe to repeat are retried.
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
   * Runs a function of a version of an app. A failure of the function is a normal answer, with its
   * error. Never retried.
   *
   * @throws ApiError 404 `app_version.not_found` if the version does not exist; ServiceUnavailable
   * if the host is unreachable or too slow; the reason of `signal` if it is aborted, which also
   * ends the run.
   */
  runFunction(request: RunRequest, signal?: CancellationSignal): Promise<CallResponse> {
    const timeoutMs = request.timeout_ms + MARGIN_MS;
    return this.service.sendSlow(
      'run',
      { method: 'POST', path: '/v1/internal/runs', body: request },
      { timeoutMs, signal },
    );
  }

  /**
   * Runs a function of an app document that is not deployed, without effects (a smoke test). A
   * failure of the function is a normal answer, with its error. Never retried.
   *
   * @throws ApiError 422 with all errors of the document if it is invalid; ServiceUnavailable if
   * the host does not answer; the reason of `signal` if it is aborted, which does not end the run
   * on the host.
   */
  runSmokeTest(request: SmokeTestRequest, signal?: CancellationSignal): Promise<SmokeTestResponse> {
    const sent = { method: 'POST' as const, path: '/v1/internal/smoke-tests', body: request };
    return this.service.sendSlow('smokeTest', sent, { timeoutMs: SMOKE_TEST_MS, signal });
  }

  /**
   * Lists the secrets that the current version of the app declares for this kind of owner, without
   * their values. Empty if it declares none.
   *
   * @throws ApiError 404 `app.not_found` if no version of the app runs; ServiceUnavailable if the
   * host does not answer.
   */
  listSecrets(appId: string, owner: SecretOwner): Promise<DeclaredSecret[]> {
    return this.service.sendWithRetries('listSecrets', {
      method: 'GET',
      path: segments`/v1/internal/apps/${appId}/secrets`,
      query: owner,
    });
  }

  /**
   * Reads the value of a secret of the owner.
   *
   * @throws ApiError 404 `app.not_found` if no version of the app runs, `secret.not_declared` if
   * the app does not declare the secret for this kind of owner, `secret.not_set` if it has no
   * value; ServiceUnavailable if the host is unreachable or cannot decrypt the value.
   */
  getSecret(appId: string, name: string, owner: SecretOwner): Promise<SecretValue> {
    return this.service.sendWithRetries('getSecret', {
      method: 'GET',
      path: segments`/v1/internal/apps/${appId}/secrets/${name}`,
      query: owner,
    });
  }

  /**
   * Sets the value of a secret of the owner, in place of an earlier value.
   *
   * @throws ApiError 404 `app.not_found` if no version of the app runs, `secret.not_declared` if
   * the app does not declare the secret for this kind of owner; 403 `secret.read_only` if only the
   * app can set it; 400 `secret.invalid` if the value is longer than declared; 422 if the value is
   * empty; ServiceUnavailable if the host does not answer.
   */
  async setSecret(appId: string, name: string, owner: SecretOwner, value: string): Promise<void> {
    await this.service.sendWithRetries('setSecret', {
      method: 'PUT',
      path: segments`/v1/internal/apps/${appId}/secrets/${name}`,
      query: owner,
      body: { value },
    });
  }

  /**
   * Deletes the value of a secret of the owner. `was_set` of the answer is false if there was none.
   * Never retried, because the answer to a second deletion would be different.
   *
   * @throws ApiError 404 `app.not_found` if no version of the app runs, `secret.not_declared` if
   * the app does not declare the secret for this kind of owner; ServiceUnavailable if the host does
   * not answer.
   */
  deleteSecret(appId: string, name: string, owner: SecretOwner): Promise<SecretDeletedResponse> {
    return this.service.sendOnce('deleteSecret', {
      method: 'DELETE',
      path: segments`/v1/internal/apps/${appId}/secrets/${name}`,
      query: owner,
    });
  }

  /**
   * Reads log lines of the app, oldest first: those after `after`, or the latest ones. If there are
   * none, waits up to `wait_seconds` for a new line; after that the list is empty. Never retried.
   *
   * @throws ApiError 400 `logs.after_invalid` if `after` is not the `next` of an earlier answer;
   * ServiceUnavailable if the host does not answer; the reason of `signal` if it is aborted.
   */
  readLogs(appId: string, query: AppLogsQuery, signal?: CancellationSignal): Promise<AppLogsResponse> {
    const { after, limit, level, kind, handler, request_id, wait_seconds } = query;
    return this.service.sendSlow(
      'logs',
      {
        method: 'GET',
        path: segments`/v1/internal/apps/${appId}/logs`,
        query: { after, limit, level, kind, handler, request_id, wait_seconds },
      },
      { timeoutMs: wait_seconds * 1_000 + MARGIN_MS, signal },
    );
  }

  listWebhookDeliveries(
    appId: string,
    { status, cursor, limit }: WebhookDeliveriesQuery,
  ): Promise<WebhookDeliveriesResponse> {
    return this.service.sendWithRetries('listWebhookDeliveries', {
      method: 'GET',
      path: segments`/v1/internal/apps/${appId}/webhook-deliveries`,
      query: { status, cursor, limit },
    });
  }

  /**
   * Reads a delivery of a webhook to the app, with its request.
   *
   * @throws ApiError 404 `webhook_delivery.not_found` if the app has no such delivery;
   * ServiceUnavailable if the host does not answer.
   */
  getWebhookDelivery(appId: string, deliveryId: string): Promise<WebhookDeliveryDetail> {
    return this.service.sendWithRetries('getWebhookDelivery', {
      method: 'GET',
      path: segments`/v1/internal/apps/${appId}/webhook-deliveries/${deliveryId}`,
    });
  }

  /**
   * Starts a finished delivery of a webhook again; a job of the host runs the handler after the
   * answer. Never retried, because each replay runs the handler again.
   *
   * @throws ApiError 404 `webhook_delivery.not_found` if the app has no such delivery; 409
   * `webhook_delivery.not_finished` while it is still being tried; ServiceUnavailable if the host
   * does not answer.
   */
  replayWebhookDelivery(appId: string, deliveryId: string): Promise<WebhookDelivery> {
    return this.service.sendOnce('replayWebhookDelivery', {
      method: 'POST',
      path: segments`/v1/internal/apps/${appId}/webhook-deliveries/${deliveryId}/replay`,
    });
  }

  /**
   * Lists the schedules of the app's running version by name, each with its last five runs. Empty
   * if there are none.
   *
   * @throws ServiceUnavailable if the host does not answer.
   */
  listSchedules(appId: string): Promise<AppSchedulesResponse> {
    return this.service.sendWithRetries('listSchedules', {
      method: 'GET',
      path: segments`/v1/internal/apps/${appId}/schedules`,
    });
  }

  /**
   * Starts a schedule of the app now, in addition to its times, and returns the new run; a job of
   * the host does it after the answer. Never retried, because each request starts another run.
   *
   * @throws ApiError 404 `schedule.not_found` if the running version has no such schedule; 409
   * `schedule.app_suspended` while the app is suspended, `schedule.unfinished` while an earlier
   * manual run of the schedule is not finished; ServiceUnavailable if the host does not answer.
   */
  runSchedule(appId: string, name: string): Promise<ScheduleRun> {
    return this.service.sendOnce('runSchedule', {
      method: 'POST',
      path: segments`/v1/internal/apps/${appId}/schedules/${name}/run`,
    });
  }

  listEventDeliveries(
    appId: string,
    { status, cursor, limit }: EventDeliveriesQuery,
  ): Promise<EventDeliveriesResponse> {
    return this.service.sendWithRetries('listEventDeliveries', {
      method: 'GET',
      path: segments`/v1/internal/apps/${appId}/event-deliveries`,
      query: { status, cursor, limit },
    });
  }

  /**
   * Starts a finished delivery of an event to the app again, to the version that runs now; a job of
   * the host runs the handler after the answer. Never retried, because each replay runs the handler
   * again.
   *
   * @throws ApiError 404 `event_delivery.not_found` if there is no delivery of this event to the
   * app; 409 `event_delivery.not_finished` while it is still being tried,
   * `event_delivery.told_once` if the event says that a user removed the app; ServiceUnavailable if
   * the host does not answer.
   */
  replayEventDelivery(appId: string, eventId: string): Promise<EventDelivery> {
    return this.service.sendOnce('replayEventDelivery', {
      method: 'POST',
      path: segments`/v1/internal/apps/${appId}/event-deliveries/${eventId}/replay`,
    });
  }

  /**
   * Hands an event to the host, which delivers it to the apps that subscribe to it. Safe to retry:
   * an event with an id that exists already changes nothing.
   *
   * @throws ServiceUnavailable if the host does not answer.
   */
  async postEvent(event: BusEvent): Promise<void> {
    await this.service.sendWithRetries('postEvent', { method: 'POST', path: '/v1/internal/events', body: event });
  }

  /**
   * Deletes a part of the documents that apps store: those of one user in one app or in all apps
   * (`app_id` null), or those of all users in one app (`user_id` null). Data that was written at or
   * after `changed_before` stays. `with_secrets` also deletes the secrets. A call deletes at most
   * 1,000 documents; repeat it while `has_more` is true.
   *
   * @throws ServiceUnavailable if the host does not answer.
   */
  purge(request: PurgeRequest): Promise<PurgeResponse> {
    return this.service.sendWithRetries('purge', { method: 'POST', path: '/v1/internal/purges', body: request });
  }
}
