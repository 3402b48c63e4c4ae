import { call } from '@platform/client';
import type { Registry as Metrics } from 'prom-client';
import type { CancellationSignal } from './speed/cancellation.js';
import { ServiceCalls } from './service-calls.js';
import {
  connectService,
  type ConnectionOptions,
  type JsonRequest,
  type ServiceConnection,
} from './service-connection.js';
import type { CalledService } from './service-unavailable.js';

export interface ServiceClientOptions extends ConnectionOptions {
  service: CalledService;
  baseUrl: string;
  serviceToken: string;
  metrics: Metrics;
  /** Milliseconds for which calls are refused after five failures in a row. Default: 5,000. */
  probeAfterMs?: number | undefined;
  /** Path of a quick response, to test whether the service works again. Default: `/readyz`. */
  probePath?: string;
}

export interface ServiceRequest extends Pick<JsonRequest, 'method' | 'query' | 'body' | 'ifMatch'> {
  /**
   * Path behind the base address. A function, such as `segments` returns, is called for each call.
   */
  path: string | (() => string);
}

/**
 * Template tag for a path in which each inserted part is one segment, with all its characters
 * encoded. Returns a function that makes the path. It throws RangeError for the parts `.` and `..`,
 * which cannot be segments.
 */
export const segments =
  (texts: TemplateStringsArray, ...parts: string[]) =>
  (): string => {
    if (parts.some((part) => part === '.' || part === '..'))
      throw new RangeError('A segment of a path must not be . or ..');
    return String.raw({ raw: texts }, ...parts.map(encodeURIComponent));
  };

/** The body of a response, and its ETag for `ifMatch`. */
export interface Tagged<Value> {
  value: Value;
  etag: string;
}

/**
 * Client of another service of the platform, over kept connections, with the time limits and the
 * circuit breaker of `ServiceCalls`. Each call throws ServiceUnavailable if there is no valid
 * response; ApiError with `status` and `code` if the service refuses; and the reason of `signal` if
 * it is aborted, which also ends the request.
 */
export class ServiceClient {
  private readonly calls: ServiceCalls;
  private readonly connection: ServiceConnection;
  private readonly baseUrl: string;
  private readonly probePath: string;

  constructor({
    service,
    baseUrl,
    serviceToken,
    metrics,
    probeAfterMs,
    probePath = '/readyz',
    ...connection
  }: ServiceClientOptions) {
    this.baseUrl = baseUrl.replace(/\/$/, '');
    this.probePath = probePath;
    this.connection = connectService(serviceToken, connection);
    this.calls = new ServiceCalls({ service, metrics, probeAfterMs, isReady: (time) => this.get('/readyz', time) });
  }

  close(): Promise<void> {
    this.calls.close();
    return this.connection.close();
  }

  /**
   * Sends a request, at most three times within five seconds, and returns the body of the response:
   * for reads, and for changes that can safely run twice.
   *
   * @throws ServiceUnavailable if there is no valid response, or one of 500 or above each time, or
   * calls are refused after failures; ApiError if the service refuses the request with another
   * status.
   */
  sendWithRetries<Data>(operation: string, request: ServiceRequest): Promise<Data> {
    return this.calls.callWithRetries(operation, (time) => this.send<Data>(request, time));
  }

  /**
   * Sends a request once, and returns the body of the response: for changes that must not run
   * twice.
   *
   * @throws ServiceUnavailable if there is no valid response within two seconds, or one of 500 or
   * above, or calls are refused after failures; ApiError if the service refuses the request with
   * another status.
   */
  sendOnce<Data>(operation: string, request: ServiceRequest): Promise<Data> {
    return this.calls.callOnce(operation, (time) => this.send<Data>(request, time));
  }

  /**
   * Sends a slow request once, and returns the body of the response. If calls were refused before,
   * a request to `probePath` first tests whether the service works again.
   *
   * @throws ServiceUnavailable if there is no valid response within `timeoutMs`, or one of 500 or
   * above, or calls are refused after failures, or the test fails; ApiError if the service refuses
   * the request with another status; the reason of `signal` if it is aborted.
   */
  sendSlow<Data>(
    operation: string,
    request: ServiceRequest,
    options: { timeoutMs: number; signal?: CancellationSignal | undefined },
  ): Promise<Data> {
    return this.calls.callSlow(operation, (time) => this.send<Data>(request, time), { ...options, probe: this.probe });
  }

  /**
   * Sends a request like `sendWithRetries`, and returns the body and the ETag of the response; the
   * ETag is empty if there is none.
   *
   * @throws ServiceUnavailable and ApiError as `sendWithRetries`.
   */
  fetchTagged<Data>(operation: string, request: ServiceRequest): Promise<Tagged<Data>> {
    return this.calls.callWithRetries(operation, (time) => this.sendTagged<Data>(request, time));
  }

  /**
   * Sends a change, and returns the new state and its ETag. Without `ifMatch` it is retried like
   * `sendWithRetries`. With `ifMatch` it is sent once, like `sendOnce`, because the service refuses
   * a retry of a change that was already made.
   *
   * @throws ServiceUnavailable if there is no valid response, or one of 500 or above, or calls are
   * refused after failures; ApiError if the service refuses the change, such as 412 if the state
   * has another ETag.
   */
  sendChange<Data>(operation: string, request: ServiceRequest): Promise<Tagged<Data>> {
    if (request.ifMatch === undefined) return this.fetchTagged(operation, request);
    return this.calls.callOnce(operation, (time) => this.sendTagged<Data>(request, time));
  }

  /**
   * Checks that calls are not refused; call it before an action that leaves data behind if the next
   * call fails. It sends a request to `probePath` only if calls were refused, and the time of
   * `probeAfterMs` is over or an unreachable service is ready again.
   *
   * @throws ServiceUnavailable while calls are refused after five failures in a row, or if
   * `probePath` gives no valid response or one of 500 or above; ApiError if it answers another
   * error.
   */
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

  private async sendTagged<Data>(
    { path, ...request }: ServiceRequest,
    signal: CancellationSignal,
  ): Promise<Tagged<Data>> {
    const url = this.baseUrl + (typeof path === 'string' ? path : path());
    let etag = '';
    const answer = this.connection.sendJson<Data>({ ...request, url, signal }).then((received) => {
      etag = received.response.headers.get('etag') ?? '';
      return received;
    });
    return { value: await call(answer), etag };
  }
}
