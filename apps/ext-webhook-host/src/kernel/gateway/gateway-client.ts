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

/** A call of another extension ends with the run that made it; this is behind that. */
const MAX_CALL_MS = 180_000;
const SILENCE_TIMEOUT_MS = MAX_CALL_MS + 20_000;
/** A call of another extension keeps one until it ends, and so may each job of the queues with owners. More than may be under way at once. */
const CONNECTIONS = 4_000;

/** What runs of an app, and whether it may run by itself. */
export type AppRuntime = NonNullable<AppRuntimeChange['runtime']>;

export interface GatewayClientOptions {
  baseUrl: string;
  serviceToken: string;
  metrics: Metrics;
  /** How long calls are refused after five failures in a row, 5 s unless told. */
  probeAfterMs?: number;
}

/**
 * What the host asks the gateway. On whose behalf is in the grant of a run that the request carries; without one the host asks only what
 * is about no user. Every method throws ServiceUnavailable when there is no proper answer (a 503 unless somebody catches
 * it), and ApiError when the gateway refuses. Only what may be done twice is retried.
 */
export class GatewayClient implements OnApplicationShutdown {
  private readonly service: ServiceClient;

  constructor(options: GatewayClientOptions) {
    this.service = new ServiceClient({ service: 'gateway', silenceTimeoutMs: SILENCE_TIMEOUT_MS, connections: CONNECTIONS, ...options });
  }

  onApplicationShutdown(): Promise<void> {
    return this.service.close();
  }

  /** Which version of an app runs; null when there is no such app, or none of its versions runs. */
  runtime(appId: string): Promise<AppRuntimeInfo | null> {
    return orNull(this.read<AppRuntimeInfo>('runtime', segments`/v1/internal/apps/${appId}/runtime`));
  }

  /** What has changed since `after` among what runs. */
  runtimeChanges(after: number): Promise<AppRuntimeChangesResponse> {
    return this.read('runtimeChanges', '/v1/internal/app-runtimes', { after });
  }

  /** The canonical document of a version; null when there is none with this hash. */
  document(appId: string, sha256: string): Promise<AppDocument | null> {
    return orNull(this.read<AppDocument>('document', segments`/v1/internal/apps/${appId}/documents/${sha256}`));
  }

  /** Lets runs begin that the gateway has not begun itself. */
  runGrants(request: RunGrantsRequest): Promise<RunGrantsResponse> {
    return this.repeat('runGrants', '/v1/internal/run-grants', request);
  }

  /** Lets the run of a schedule go on for users. */
  exchangeRunGrant(request: RunGrantExchangeRequest): Promise<RunGrantExchangeResponse> {
    return this.repeat('exchangeRunGrant', '/v1/internal/run-grants/exchange', request);
  }

  /** Where users are, for a run of no user that keeps documents for them. */
  usersOfRun(request: RunUsersRequest): Promise<RunUsersResponse> {
    return this.repeat('usersOfRun', '/v1/internal/run-grants/users', request);
  }

  /** That an app is still removed, which a run tells it. @throws ApiError 403 when its user has it again. */
  async checkRunGrant(request: RunGrantCheckRequest): Promise<void> {
    await this.repeat('checkRunGrant', '/v1/internal/run-grants/check', request);
  }

  /** What is set for the app of a run in its tenant, for its user or for nobody, over the defaults of its document. */
  async config(grant: string): Promise<JsonObject> {
    const { config } = await this.repeat<AppConfigResponse>('config', '/v1/internal/config', { grant });
    return config as JsonObject;
  }

  /** Calls a function of another extension; one that failed is an answer, too. Throws what `signal` was aborted with. */
  callExtension(appId: string, request: InternalCallRequest, signal: CancellationSignal): Promise<CallResponse> {
    const sent = { method: 'POST' as const, path: segments`/v1/internal/extensions/${appId}/call`, body: request };
    return this.service.long('callExtension', sent, { timeoutMs: MAX_CALL_MS, signal });
  }

  /** Records that an extension reached for what it may not use. */
  async reportDenial(denial: CapabilityDenialRequest): Promise<void> {
    await this.repeat('reportDenial', '/v1/internal/capability-denials', denial);
  }

  /** How far the task of a run is. */
  reportProgress(progress: RunProgressRequest): Promise<RunProgressResponse> {
    return this.repeat('reportProgress', '/v1/internal/task-progress', progress);
  }

  /** To the user of the run; the same message again changes nothing. */
  async deliverChatMessage(message: HostChatMessageRequest): Promise<void> {
    await this.repeat('deliverChatMessage', '/v1/internal/chat-messages', message);
  }

  /** To the user of the run. */
  notify(notification: HostNotificationRequest): Promise<NotificationSentResponse> {
    return this.write('notify', '/v1/internal/notifications', notification);
  }

  /** What the user of a run can spend. */
  async balance(grant: string): Promise<number> {
    return (await this.repeat<RunBalanceResponse>('balance', '/v1/internal/billing/balance', { grant })).balance;
  }

  /** Which plan the user of a run has, as `GET /v1/billing/subscription` says it. */
  subscription(grant: string): Promise<JsonObject> {
    return this.repeat('subscription', '/v1/internal/billing/subscription', { grant });
  }

  /** What the user of a run used of their plan, as `GET /v1/billing/usage` says it. */
  limits(grant: string): Promise<JsonObject> {
    return this.repeat('limits', '/v1/internal/billing/limits', { grant });
  }

  /** Counts what an app did for the user of a run; with the same key again it changes nothing. */
  async trackUsage(usage: RunUsageRequest & { key: string }): Promise<void> {
    await this.repeat('trackUsage', '/v1/internal/billing/usage', usage);
  }

  /** Which of these apps an event reaches; none when the gateway knows no such event. */
  async eventSubscribers(request: EventSubscribersRequest): Promise<string[]> {
    const answer = await orNull(this.repeat<EventSubscribersResponse>('eventSubscribers', '/v1/internal/events/subscribers', request));
    return answer?.app_ids ?? [];
  }

  /** A page of the apps that an event could reach. @throws ApiError 404 from a gateway of a release before, so that the event waits for it. */
  eventAudience(request: EventAudienceRequest): Promise<EventAudienceResponse> {
    return this.repeat('eventAudience', '/v1/internal/events/audience', request);
  }

  /** Tells of an event of an app; the same one again changes nothing. */
  async postEvent(event: PublishedEventRequest): Promise<void> {
    await this.repeat('postEvent', '/v1/internal/events', event);
  }

  private repeat<Data>(operation: string, path: ServiceRequest['path'], body: object): Promise<Data> {
    return this.service.repeatable(operation, { method: 'POST', path, body });
  }

  private read<Data>(operation: string, path: ServiceRequest['path'], query?: ServiceRequest['query']): Promise<Data> {
    return this.service.repeatable(operation, { method: 'GET', path, query });
  }

  private write<Data>(operation: string, path: ServiceRequest['path'], body: object): Promise<Data> {
    return this.service.once(operation, { method: 'POST', path, body });
  }
}

const orNull = <Data>(pending: Promise<Data>): Promise<Data | null> =>
  pending.catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  });
