import { TestClient, type TestResponse } from '@platform/testing';
import { parseSetCookie } from 'cookie';

export const USER_AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';

/** Sends requests like a page of the panel, and keeps the cookies. */
export class TestBrowser {
  /** Session cookie as `name=value`; null if there is none. */
  cookie: string | null = null;
  /** Cookie by which the gateway recognizes the device, as `name=value`; null if there is none. */
  deviceCookie: string | null = null;
  readonly client: TestClient;

  constructor(url: string, origin: string, client = TestClient.create(url)) {
    this.client = client.withHeaders({ Origin: origin, 'User-Agent': USER_AGENT, 'Content-Type': 'application/json' });
  }

  get address(): string {
    return this.client.address;
  }

  get<Body = unknown>(path: string, headers?: Record<string, string>): Promise<TestResponse<Body>> {
    return this.request('GET', path, undefined, headers);
  }

  post<Body = unknown>(path: string, body?: unknown, headers?: Record<string, string>): Promise<TestResponse<Body>> {
    return this.request('POST', path, body, headers);
  }

  delete<Body = unknown>(path: string, headers?: Record<string, string>): Promise<TestResponse<Body>> {
    return this.request('DELETE', path, undefined, headers);
  }

  private async request<Body>(
    method: string,
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<TestResponse<Body>> {
    const cookies = [this.cookie, this.deviceCookie].filter((cookie) => cookie !== null);
    const response = await this.client.request<Body>(method, path, body, {
      headers: { ...(cookies.length && { Cookie: cookies.join('; ') }), ...headers },
    });
    for (const header of response.headers.getSetCookie()) {
      const { name, value, maxAge } = parseSetCookie(header);
      const cookie = maxAge === 0 ? null : `${name}=${value}`;
      if (name.endsWith('panel_device')) this.deviceCookie = cookie;
      else this.cookie = cookie;
    }
    return response;
  }
}
