import { call, type Answer } from '@platform/client';
import { connectService, type ServiceConnection } from '@platform/platform';
import { Request } from 'undici';

/** Behind the longest call of another extension. */
const SILENCE_TIMEOUT_MS = 200_000;
/** A call of another extension keeps one until it ends. */
const CONNECTIONS = 200;

export interface GatewayRequest {
  method: 'GET' | 'POST';
  path: string;
  query?: Record<string, string | null>;
  body?: object;
}

/** The internal routes of the gateway, over connections that stay open. */
export class GatewayConnection {
  private readonly connection: ServiceConnection;

  constructor(
    private readonly baseUrl: string,
    serviceToken: string,
  ) {
    this.connection = connectService(serviceToken, { silenceTimeoutMs: SILENCE_TIMEOUT_MS, connections: CONNECTIONS });
  }

  /** @throws ApiError when the gateway refuses, ConnectionError when there is no proper answer. */
  send<Data>({ method, path, query = {}, body }: GatewayRequest, signal: AbortSignal): Promise<Data> {
    const url = new URL(`${this.baseUrl}/v1/internal/${path}`);
    for (const [name, value] of Object.entries(query)) if (value !== null) url.searchParams.set(name, value);
    const request = new Request(url, {
      method,
      redirect: 'error',
      signal,
      ...(body && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
    });
    return call<Data>(this.connection.fetch(request).then((response) => toAnswer<Data>(response)));
  }

  close(): Promise<void> {
    return this.connection.close();
  }
}

/** Each part that is put in is one segment. */
export const path = (texts: TemplateStringsArray, ...parts: string[]): string =>
  String.raw({ raw: texts }, ...parts.map(encodeURIComponent));

async function toAnswer<Data>(response: Response): Promise<Answer<Data>> {
  const text = await response.text();
  if (response.ok) return { response, ...(text && { data: JSON.parse(text) as Data }) };
  return { response, error: parsedOr(text) };
}

function parsedOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
