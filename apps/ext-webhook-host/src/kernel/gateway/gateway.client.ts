import type { OnApplicationShutdown } from '@nestjs/common';
import type { AppDocument, JsonObject } from '@platform/app-document';
import { ApiError } from '@platform/client';
import type {
  AppConfigResponse,
  AppRuntimeChange,
  AppRuntimeChangesResponse,
  AppRuntimeInfo,
  CallResponse,
  CapabilityDenialRequest,
  EventAudienceRequest,
  EventAudienceResponse,
  EventSubscribersRequest,
  EventSubscribersResponse,
  HostChatMessageRequest,
  HostNotificationRequest,
  InternalCallRequest,
  NotificationSentResponse,
  PublishedEventRequest,
  RunBalanceResponse,
  RunGrantCheckRequest,
  RunGrantExchangeRequest,
  RunGrantExchangeResponse,
  RunGrantsRequest,
  RunGrantsResponse,
  RunProgressRequest,
  RunProgressResponse,
  RunUsageRequest,
  RunUsersRequest,
  RunUsersResponse,
} from '@platform/contracts';
import { segments, ServiceClient, type CancellationSignal, type ServiceRequest } from '@platform/platform';
import type { Registry as Metrics } from 'prom-client';

/**
 * A call of another extension ends with the run that makes it. This limit is longer, and only a
 * safeguard.
 */
const MAX_CALL_MS = 180_000;
const SILENCE_TIMEOUT_MS = MAX_CALL_MS + 20_000;
/**
 * Connections to the gateway. A call of another extension holds one until it ends, and so can each
 * job of a queue with owners. This is more than can run at once.
 */
const CONNECTIONS = 4_000;

/** Running version of an app, and its suspension. */
export type AppRuntime = NonNullable<AppRuntimeChange['runtime']>;

export interface GatewayClientOptions {
  baseUrl: string;
  serviceToken: string;
  metrics: Metrics;
  /** Time for which calls are refused after five failures in a row; 5 s by default. */
  probeAfterMs?: number;
}

/**
 * Requests of the host to the gateway. The grant of a run in a request proves its user; a request
 * without a grant concerns no user. Each method throws ServiceUnavailable if there is no proper
 * answer (a 503 unless it is caught), and ApiError if the gateway refuses. Only requests that are
 * safe to repeat are retried.
 */
export class GatewayClient implements OnApplicationShutdown {
  private readonly service: ServiceClient;

  constructor(options: GatewayClientOptions) {
    this.service = new ServiceClient({
      service: 'gateway',
      silenceTimeoutMs: SILENCE_TIMEOUT_MS,
      connections: CONNECTIONS,
      ...options,
    });
  }

  onApplicationShutdown(): Promise<void> {
    return this.service.close();
  }

  /**
   * Running version of an app; null if the app does not exist, or runs no version.
   *
   * @throws ServiceUnavailable if the gateway is unreachable.
   */
  fetchRuntime(appId: string): Promise<AppRuntimeInfo | null> {
    return orNull(this.read<AppRuntimeInfo>('runtime', segments`/v1/internal/apps/${appId}/runtime`));
  }

  /**
   * Changes of the running versions of all apps after the revision `after`.
   *
   * @throws ServiceUnavailable if the gateway is unreachable.
   */
  listRuntimeChanges(after: number): Promise<AppRuntimeChangesResponse> {
    return this.read('runtimeChanges', '/v1/internal/app-runtimes', { after });
  }

  /**
   * Document of a version, with its functions and code as the developer deployed them; null if none
   * has this hash.
   *
   * @throws ServiceUnavailable if the gateway is unreachable.
   */
  fetchDocument(appId: string, sha256: string): Promise<AppDocument | null> {
    return orNull(this.read<AppDocument>('document', segments`/v1/internal/apps/${appId}/documents/${sha256}`));
  }

  /**
   * Gets grants for runs that the gateway has not started itself, in the order of the runs. A run
   * that may not begin gets none.
   *
   * @throws ServiceUnavailable if the gateway is unreachable; ApiError if it refuses one of the
   * runs.
   */
  requestRunGrants(request: RunGrantsRequest): Promise<RunGrantsResponse> {
    return this.repeat('runGrants', '/v1/internal/run-grants', request);
  }

  /**
   * Exchanges the grant of a schedule for grants of users. Users for whom the app may not act are
   * missing in the answer.
   *
   * @throws ApiError 403 `run_grant.…` if the gateway refuses the grant; ServiceUnavailable if it
   * is unreachable.
   */
  exchangeRunGrant(request: RunGrantExchangeRequest): Promise<RunGrantExchangeResponse> {
    return this.repeat('exchangeRunGrant', '/v1/internal/run-grants/exchange', request);
  }

  /**
   * Tenants of users, for a run without a user that stores documents for them. Users for whom the
   * app may not act are missing in the answer.
   *
   * @throws ApiError 403 `run_grant.…` if the gateway refuses the grant; ServiceUnavailable if it
   * is unreachable.
   */
  findUsersOfRun(request: RunUsersRequest): Promise<RunUsersResponse> {
    return this.repeat('usersOfRun', '/v1/internal/run-grants/users', request);
  }

  /**
   * Checks, for a run that handles the removal of an app, that the app is still removed.
   *
   * @throws ApiError 403 `run_grant.…` if its user has installed it again, or the grant is no
   * longer valid; ServiceUnavailable if the gateway is unreachable.
   */
  async checkRunGrant(request: RunGrantCheckRequest): Promise<void> {
    await this.repeat('checkRunGrant', '/v1/internal/run-grants/check', request);
  }

  /**
   * Configuration of the app of a run, for its tenant and its user if there is one, over the
   * defaults that the developer deployed.
   *
   * @throws ApiError 403 `run_grant.…` if the gateway refuses the grant; ServiceUnavailable if it
   * is unreachable.
   */
  async fetchConfig(grant: string): Promise<JsonObject> {
    const { config } = await this.repeat<AppConfigResponse>('config', '/v1/internal/config', { grant });
    return config as JsonObject;
  }

  /**
   * Calls a function of another app. A function that failed is an answer, too.
   *
   * @throws the reason with which `signal` was aborted; ApiError if the call is refused before the
   * function runs; ServiceUnavailable if the gateway does not answer.
   */
  callExtension(appId: string, request: InternalCallRequest, signal: CancellationSignal): Promise<CallResponse> {
    const sent = { method: 'POST' as const, path: segments`/v1/internal/extensions/${appId}/call`, body: request };
    return this.service.sendSlow('callExtension', sent, { timeoutMs: MAX_CALL_MS, signal });
  }

  /**
   * Records in the audit log that an app tried to use a capability that it may not use.
   *
   * @throws ApiError if the gateway refuses the report; ServiceUnavailable if it is unreachable.
   */
  async reportDenial(denial: CapabilityDenialRequest): Promise<void> {
    await this.repeat('reportDenial', '/v1/internal/capability-denials', denial);
  }

  /**
   * Reports the progress of a run's task. The answer says if the task was cancelled.
   *
   * @throws ApiError if the gateway refuses the report; ServiceUnavailable if it is unreachable.
   */
  reportProgress(progress: RunProgressRequest): Promise<RunProgressResponse> {
    return this.repeat('reportProgress', '/v1/internal/task-progress', progress);
  }

  /**
   * Sends a chat message to the user of the run. Safe to retry with the same message.
   *
   * @throws ApiError if the gateway refuses the message; ServiceUnavailable if it is unreachable.
   */
  async deliverChatMessage(message: HostChatMessageRequest): Promise<void> {
    await this.repeat('deliverChatMessage', '/v1/internal/chat-messages', message);
  }

  /**
   * Notifies the user of the run. Not retried.
   *
   * @throws ApiError if the gateway refuses the notification; ServiceUnavailable if it is
   * unreachable.
   */
  sendNotification(notification: HostNotificationRequest): Promise<NotificationSentResponse> {
    return this.write('notify', '/v1/internal/notifications', notification);
  }

  /** Credits that the user of a run can spend. */
  async fetchBalance(grant: string): Promise<number> {
    return (await this.repeat<RunBalanceResponse>('balance', '/v1/internal/billing/balance', { grant })).balance;
  }

  /**
   * Plan of the user of a run, in the form of `GET /v1/billing/subscription`.
   *
   * @throws ApiError if the gateway refuses the request; ServiceUnavailable if it is unreachable.
   */
  fetchSubscription(grant: string): Promise<JsonObject> {
    return this.repeat('subscription', '/v1/internal/billing/subscription', { grant });
  }

  /**
   * Plan usage of the user of a run, in the form of `GET /v1/billing/usage`.
   *
   * @throws ApiError if the gateway refuses the request; ServiceUnavailable if it is unreachable.
   */
  fetchLimits(grant: string): Promise<JsonObject> {
    return this.repeat('limits', '/v1/internal/billing/limits', { grant });
  }

  /**
   * Counts usage of an app for the user of a run. Safe to retry with the same key.
   *
   * @throws ApiError if the gateway refuses the usage; ServiceUnavailable if it is unreachable.
   */
  async trackUsage(usage: RunUsageRequest & { key: string }): Promise<void> {
    await this.repeat('trackUsage', '/v1/internal/billing/usage', usage);
  }

  /**
   * Finds the apps, among the given ones, to which an event goes; none if the gateway does not know
   * the event.
   *
   * @throws ServiceUnavailable if the gateway is unreachable.
   */
  async findEventSubscribers(request: EventSubscribersRequest): Promise<string[]> {
    const answer = await orNull(
      this.repeat<EventSubscribersResponse>('eventSubscribers', '/v1/internal/events/subscribers', request),
    );
    return answer?.app_ids ?? [];
  }

  /**
   * A page of the apps to which an event could go.
   *
   * @throws ServiceUnavailable if the gateway is unreachable.
   */
  listEventAudience(request: EventAudienceRequest): Promise<EventAudienceResponse> {
    return this.repeat('eventAudience', '/v1/internal/events/audience', request);
  }

  /**
   * Posts an event of an app. Safe to retry with the same event.
   *
   * @throws ApiError if the gateway refuses the event or its grant; ServiceUnavailable if it is
   * unreachable.
   */
  async postEvent(event: PublishedEventRequest): Promise<void> {
    await this.repeat('postEvent', '/v1/internal/events', event);
  }

  private repeat<Data>(operation: string, path: ServiceRequest['path'], body: object): Promise<Data> {
    return this.service.sendWithRetries(operation, { method: 'POST', path, body });
  }

  private read<Data>(operation: string, path: ServiceRequest['path'], query?: ServiceRequest['query']): Promise<Data> {
    return this.service.sendWithRetries(operation, { method: 'GET', path, query });
  }

  private write<Data>(operation: string, path: ServiceRequest['path'], body: object): Promise<Data> {
    return this.service.sendOnce(operation, { method: 'POST', path, body });
  }
}

const orNull = <Data>(pending: Promise<Data>): Promise<Data | null> =>
  pending.catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  });
