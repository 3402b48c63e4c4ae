import type { Exchange } from './recorded-examples.js';

export interface TestResponse<Body> {
  status: number;
  headers: Headers;
  body: Body;
}

export interface RequestOptions {
  headers?: Record<string, string>;
  /** Exact body, sent instead of JSON. */
  raw?: string | Uint8Array;
  /** Aborts the request. Its promise then rejects. */
  signal?: AbortSignal;
}

/** Gives each Jest worker its own addresses, because specs can share a Redis. */
const WORKER = Number(process.env['JEST_WORKER_ID'] ?? 0) % 256;
const HOSTS = 254;
let clients = 0;

/** Next of 65,024 client addresses. Each client of this process gets its own. */
function nextAddress(): string {
  const at = clients++ % (256 * HOSTS);
  return `10.${WORKER}.${Math.floor(at / HOSTS)}.${1 + (at % HOSTS)}`;
}

/** HTTP client with its own address, so that tests do not share rate limits. */
export class TestClient {
  private constructor(
    private readonly baseUrl: string,
    /** Client address that the service sees. */
    readonly address: string,
    private readonly headers: Record<string, string>,
    private readonly watch: ((exchange: Exchange) => void) | undefined,
  ) {}

  /**
   * Makes a client for a service, with the next address.
   *
   * @param watch receives each exchange
   */
  static create(baseUrl: string, watch?: (exchange: Exchange) => void): TestClient {
    const address = nextAddress();
    return new TestClient(baseUrl, address, { 'X-Forwarded-For': address }, watch);
  }

  /** Returns a copy of the client with additional headers for every request. */
  withHeaders(headers: Record<string, string>): TestClient {
    return new TestClient(this.baseUrl, this.address, { ...this.headers, ...headers }, this.watch);
  }

  withToken(accessToken: string): TestClient {
    return this.withHeaders({ Authorization: `Bearer ${accessToken}` });
  }

  get<Body = unknown>(path: string, options?: RequestOptions): Promise<TestResponse<Body>> {
    return this.request('GET', path, undefined, options);
  }

  post<Body = unknown>(path: string, body?: unknown, options?: RequestOptions): Promise<TestResponse<Body>> {
    return this.request('POST', path, body, options);
  }

  put<Body = unknown>(path: string, body?: unknown, options?: RequestOptions): Promise<TestResponse<Body>> {
    return this.request('PUT', path, body, options);
  }

  patch<Body = unknown>(path: string, body?: unknown, options?: RequestOptions): Promise<TestResponse<Body>> {
    return this.request('PATCH', path, body, options);
  }

  delete<Body = unknown>(path: string, options?: RequestOptions): Promise<TestResponse<Body>> {
    return this.request('DELETE', path, undefined, options);
  }

  async request<Body>(
    method: string,
    path: string,
    body?: unknown,
    { headers, raw, signal }: RequestOptions = {},
  ): Promise<TestResponse<Body>> {
    const content = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await fetch(`${this.baseUrl}${path}`, {
      method,
      headers: {
        ...(content === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...this.headers,
        ...headers,
      },
      ...(content === undefined ? {} : { body: content as string }),
      ...(signal && { signal }),
    });
    const text = await response.text();
    const type = getMediaType(response.headers);
    const { status } = response;
    const answer: unknown = type.includes('json') && text ? JSON.parse(text) : text;
    this.watch?.({
      method,
      path: path.replace(/\?.*$/s, ''),
      sent: raw === undefined ? body : readable(raw),
      status,
      type,
      body: answer,
    });
    return { status, headers: response.headers, body: answer as Body };
  }
}

/** Media type without parameters; empty if absent. */
export const getMediaType = (headers: Headers): string => headers.get('content-type')?.split(';')[0] ?? '';

/** Parses a raw body as JSON if possible; otherwise returns its text. */
function readable(raw: string | Uint8Array): unknown {
  const text = Buffer.from(raw).toString();
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
