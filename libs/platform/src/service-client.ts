import { call } from '@platform/client';
import type { Registry as Metrics } from 'prom-client';
import type { CancellationSignal } from './speed/cancellation.js';
import { ServiceCalls } from './service-calls.js';
import { connectService, type ConnectionOptions, type JsonRequest, type ServiceConnection } from './service-connection.js';
import type { CalledService } from './service-unavailable.js';

export interface ServiceClientOptions extends ConnectionOptions {
  service: CalledService;
  baseUrl: string;
  serviceToken: string;
  metrics: Metrics;
  /** How long calls are refused after five failures in a row, 5 s unless told. */
  probeAfterMs?: number | undefined;
  /** What answers quickly, to show whether the service is back; `/readyz` unless told. */
  probePath?: string;
}

export interface ServiceRequest extends Pick<JsonRequest, 'method' | 'query' | 'body' | 'ifMatch'> {
  /** Behind the address of the service: as it is, or made of `segments` when the call is made. */
  path: string | (() => string);
}

/** A path in which each part is one segment, whatever it holds. The call throws RangeError for the two that no address can hold. */
export const segments =
  (texts: TemplateStringsArray, ...parts: string[]) =>
  (): string => {
    if (parts.some((part) => part === '.' || part === '..')) throw new RangeError('No segment of a path');
    return String.raw({ raw: texts }, ...parts.map(encodeURIComponent));
  };

/** The body of an answer, and the tag of the state that it shows, for `ifMatch`. */
export interface Tagged<Value> {
  value: Value;
  etag: string;
}

/**
 * Another of our services, as one of them calls it: over kept connections, by `ServiceCalls`. Throws ServiceUnavailable when there is no proper
 * answer, ApiError with `status` and `code` when the service refuses, and the reason of a `signal` that is aborted, which ends what was begun.
 */
export class ServiceClient {
  private readonly calls: ServiceCalls;
  private readonly connection: ServiceConnection;
  private readonly baseUrl: string;
  private readonly probePath: string;

  constructor({ service, baseUrl, serviceToken, metrics, probeAfterMs, probePath = '/readyz', ...connection }: ServiceClientOptions) {
    this.baseUrl = baseUrl.replace(/\/$/, '');
    this.probePath = probePath;
    this.connection = connectService(serviceToken, connection);
    this.calls = new ServiceCalls({ service, metrics, probeAfterMs, isReady: (time) => this.get('/readyz', time) });
  }

  close(): Promise<void> {
    this.calls.close();
    return this.connection.close();
  }

  /** For reads, and for changes that may be made twice. */
  repeatable<Data>(operation: string, request: ServiceRequest): Promise<Data> {
    return this.calls.repeatable(operation, (time) => this.send<Data>(request, time));
  }

  /** For what must not be done twice. */
  once<Data>(operation: string, request: ServiceRequest): Promise<Data> {
    return this.calls.once(operation, (time) => this.send<Data>(request, time));
  }

  /** As `once`, for what takes its time. */
  long<Data>(
    operation: string,
    request: ServiceRequest,
    options: { timeoutMs: number; signal?: CancellationSignal | undefined },
  ): Promise<Data> {
    return this.calls.long(operation, (time) => this.send<Data>(request, time), { ...options, probe: this.probe });
  }

  /** As `repeatable`, with the tag of the answer. */
  tagged<Data>(operation: string, request: ServiceRequest): Promise<Tagged<Data>> {
    return this.calls.repeatable(operation, (time) => this.sendTagged<Data>(request, time));
  }

  /** Changes one state of something into another; with `ifMatch`, which is refused when it was made already, made once. */
  change<Data>(operation: string, request: ServiceRequest): Promise<Tagged<Data>> {
    if (request.ifMatch === undefined) return this.tagged(operation, request);
    return this.calls.once(operation, (time) => this.sendTagged<Data>(request, time));
  }

  /** Before what leaves something behind when the call that follows fails. @throws ServiceUnavailable while calls are refused. */
  assertReachable(): Promise<void> {
    return this.calls.assertReachable(this.probe);
  }

  private readonly probe = (time: CancellationSignal): Promise<unknown> => this.get(this.probePath, time);

  private get(path: string, signal: CancellationSignal): Promise<unknown> {
    return this.send({ method: 'GET', path }, signal);
  }

  private async send<Data>(request: ServiceRequest, signal: CancellationSignal): Promise<Data> {
    return (await this.sendTagged<Data>(request, signal)).value;
  }

  private async sendTagged<Data>({ path, ...request }: ServiceRequest, signal: CancellationSignal): Promise<Tagged<Data>> {
    const url = this.baseUrl + (typeof path === 'string' ? path : path());
    let etag = '';
    const answer = this.connection.sendJson<Data>({ ...request, url, signal }).then((received) => {
      etag = received.response.headers.get('etag') ?? '';
      return received;
    });
    return { value: await call(answer), etag };
  }
}
