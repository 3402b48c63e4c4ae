import {
  Budget,
  type ContextHttp,
  type HttpBodyOptions,
  type HttpOptions,
  type HttpResponse,
  jsonText,
  type RunLimits,
} from '@platform/extension-sdk/runtime';
import type { CancellationSignal } from '@platform/platform';
import pLimit from 'p-limit';
import { EgressErrors, MAX_TIMEOUT_MS, type Egress, type EgressMethod } from '@platform/egress';
import { responseValue } from './response-text.js';

/** The member `ctx.http` of one run. */
export class RunHttp implements ContextHttp {
  private readonly budget: Budget;
  private inTurn: ReturnType<typeof pLimit> | null = null;
  private known: Promise<readonly string[]> | null = null;

  constructor(
    private readonly egress: Egress,
    private readonly limits: Pick<RunLimits, 'httpRequests' | 'openHttpRequests' | 'httpResponseBytes'>,
    /** Aborted when the run is over. */
    private readonly signal: CancellationSignal,
    /** Hosts to which requests may go; `*` is any host. Called before the first request. */
    private readonly allowedHosts: () => Promise<readonly string[]>,
  ) {
    this.budget = new Budget('http requests', limits.httpRequests);
  }

  get(url: string, options?: HttpOptions): Promise<HttpResponse> {
    return this.request('GET', url, options);
  }

  post(url: string, options?: HttpBodyOptions): Promise<HttpResponse> {
    return this.request('POST', url, options);
  }

  put(url: string, options?: HttpBodyOptions): Promise<HttpResponse> {
    return this.request('PUT', url, options);
  }

  patch(url: string, options?: HttpBodyOptions): Promise<HttpResponse> {
    return this.request('PATCH', url, options);
  }

  delete(url: string, options?: HttpBodyOptions): Promise<HttpResponse> {
    return this.request('DELETE', url, options);
  }

  private async request(method: EgressMethod, url: string, options: HttpBodyOptions = {}): Promise<HttpResponse> {
    const { timeoutSeconds = 30, headers = {}, json, body } = options;
    if (!(timeoutSeconds > 0 && timeoutSeconds * 1000 <= MAX_TIMEOUT_MS)) {
      throw EgressErrors.requestRefused(
        `The timeout must be more than 0 and at most ${MAX_TIMEOUT_MS / 1000} seconds.`,
      );
    }
    if (json !== undefined && body !== undefined) throw EgressErrors.requestRefused('Send json or body, not both.');
    if (!isBody(body))
      throw EgressErrors.requestRefused(
        'The body must be a string or bytes. Pass a value that is to be sent as JSON as json.',
      );
    const request = {
      url: withQuery(url, options.query),
      method,
      headers: json === undefined ? headers : { 'content-type': 'application/json', ...lowerCased(headers) },
      body: json === undefined ? (body ?? null) : jsonText(json),
      timeoutMs: timeoutSeconds * 1000,
      maxResponseBytes: this.limits.httpResponseBytes,
      signal: this.signal,
    };
    this.budget.spend();
    this.inTurn ??= pLimit(this.limits.openHttpRequests);
    return this.inTurn(async () => {
      this.signal.throwIfAborted();
      const hosts = await (this.known ??= this.allowedHosts());
      const response = await this.egress.request({ ...request, hosts });
      const { status, headers: answered, body: bytes } = response;
      return {
        status_code: status,
        headers: answered,
        body: responseValue(answered['content-type'], bytes),
        ok: status < 400,
        bytes,
      };
    });
  }
}

/**
 * True for a body that can be sent: text, bytes, null or undefined. JavaScript handlers can pass
 * any type.
 */
const isBody = (body: unknown): boolean =>
  body === undefined || body === null || typeof body === 'string' || ArrayBuffer.isView(body);

function withQuery(url: string, query: HttpOptions['query'] = {}): string {
  const entries = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, String(one)]),
  );
  if (!entries.length) return url;
  const [, address = '', given = '', fragment = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(url) ?? [];
  const added = new URLSearchParams(entries).toString();
  return `${address}?${given ? `${given}&` : ''}${added}${fragment}`;
}

const lowerCased = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
