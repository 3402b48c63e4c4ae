import type { OnApplicationShutdown } from '@nestjs/common';
import type { AppDocument, JsonObject } from '@platform/app-document';
import { ApiError, ConnectionError } from '@platform/client';
import type {
  AppConfigResponse,
  AppRuntimeInfo,
  CallResponse,
  CapabilityDenialRequest,
  InternalCallRequest,
  NotificationRequest,
  NotificationSentResponse,
} from '@platform/contracts';
import { ServiceCalls } from '@platform/platform';
import type { Registry as Metrics } from 'prom-client';
import { GatewayConnection, path } from './gateway-connection.js';
import { GatewayUnavailable } from './gateway.errors.js';

/** A call of another extension ends with the run that made it; this is behind that. */
const MAX_CALL_MS = 180_000;

export interface GatewayClientOptions {
  baseUrl: string;
  serviceToken: string;
  metrics: Metrics;
  /** How long calls are refused after five failures in a row, 5 s unless told. */
  probeAfterMs?: number;
}

/**
 * What the host asks the gateway. Every method throws GatewayUnavailable when there is no proper answer (a 503 unless somebody catches
 * it), and ApiError when the gateway refuses. Only reads are retried.
 */
export class GatewayClient implements OnApplicationShutdown {
  private readonly calls: ServiceCalls;
  private readonly connection: GatewayConnection;

  constructor({ baseUrl, serviceToken, metrics, probeAfterMs }: GatewayClientOptions) {
    this.calls = new ServiceCalls({
      service: 'gateway',
      metrics,
      isOutage: (error) => error instanceof ConnectionError || (error instanceof ApiError && error.status >= 500),
      toUnavailable: (cause) => new GatewayUnavailable(cause),
      probeAfterMs,
    });
    this.connection = new GatewayConnection(baseUrl, serviceToken);
  }

  onApplicationShutdown(): Promise<void> {
    return this.connection.close();
  }

  /** Which version of an app runs; null when there is no such app, or none of its versions runs. */
  runtime(appId: string): Promise<AppRuntimeInfo | null> {
    return orNull(this.read<AppRuntimeInfo>('runtime', path`apps/${appId}/runtime`));
  }

  /** The canonical document of a version; null when there is none with this hash. */
  document(appId: string, sha256: string): Promise<AppDocument | null> {
    return orNull(this.read<AppDocument>('document', path`apps/${appId}/documents/${sha256}`));
  }

  /** What is set for an app in a tenant, for a user or for nobody, over the defaults of its document. */
  async config(appId: string, tenantId: string, userId: string | null): Promise<JsonObject> {
    const query = { tenant_id: tenantId, user_id: userId };
    const { config } = await this.read<AppConfigResponse>('config', path`apps/${appId}/config`, query);
    return config as JsonObject;
  }

  /** Calls a function of another extension; one that failed is an answer, too. Throws what `signal` was aborted with. */
  callExtension(appId: string, request: InternalCallRequest, signal: AbortSignal): Promise<CallResponse> {
    return this.calls.once(
      'callExtension',
      () => this.connection.send({ method: 'POST', path: path`extensions/${appId}/call`, body: request }, signal),
      MAX_CALL_MS,
    );
  }

  /** Records that an extension reached for what it may not use. */
  async reportDenial(denial: CapabilityDenialRequest): Promise<void> {
    await this.write('reportDenial', 'capability-denials', denial);
  }

  notify(notification: NotificationRequest): Promise<NotificationSentResponse> {
    return this.write('notify', 'notifications', notification);
  }

  private read<Data>(operation: string, at: string, query: Record<string, string | null> = {}): Promise<Data> {
    return this.calls.repeatable(operation, (signal) => this.connection.send<Data>({ method: 'GET', path: at, query }, signal));
  }

  private write<Data>(operation: string, at: string, body: object): Promise<Data> {
    return this.calls.once(operation, (signal) => this.connection.send<Data>({ method: 'POST', path: at, body }, signal));
  }
}

const orNull = <Data>(pending: Promise<Data>): Promise<Data | null> =>
  pending.catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  });
