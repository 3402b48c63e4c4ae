import { request, type IncomingHttpHeaders } from 'node:http';

export interface WireRequest {
  method?: string;
  /** A list sends the header that often. */
  headers?: Record<string, string | string[]>;
  body?: unknown;
}

export interface WireResponse<Body> {
  status: number;
  headers: IncomingHttpHeaders;
  body: Body;
}

/** One request on a connection of its own, with exactly these headers: also those that `fetch` sets itself or joins, such as Host. */
export function sendOverWire<Body = unknown>(
  url: string,
  { method = 'GET', headers = {}, body }: WireRequest,
): Promise<WireResponse<Body>> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const isJson = response.headers['content-type']?.includes('json');
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: (isJson && text ? JSON.parse(text) : text) as Body });
      });
    });
    sent.on('error', reject);
    for (const [name, value] of Object.entries(headers)) sent.setHeader(name, value);
    const content = body === undefined ? undefined : JSON.stringify(body);
    if (content !== undefined) {
      sent.setHeader('Content-Type', 'application/json');
      sent.setHeader('Content-Length', Buffer.byteLength(content)); // Node leaves it out for some methods
    }
    sent.end(content);
  });
}
