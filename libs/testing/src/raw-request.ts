import { request, type IncomingHttpHeaders } from 'node:http';

export interface RawRequest {
  method?: string;
  /** Headers. A list sends the header several times. */
  headers?: Record<string, string | string[]>;
  body?: unknown;
}

export interface RawResponse<Body> {
  status: number;
  headers: IncomingHttpHeaders;
  body: Body;
}

/**
 * Sends one request on a new connection with exactly these headers, including headers that `fetch`
 * sets or joins itself, such as Host.
 */
export function sendRawRequest<Body = unknown>(
  url: string,
  { method = 'GET', headers = {}, body }: RawRequest,
): Promise<RawResponse<Body>> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const isJson = response.headers['content-type']?.includes('json');
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: (isJson && text ? JSON.parse(text) : text) as Body,
        });
      });
    });
    sent.on('error', reject);
    for (const [name, value] of Object.entries(headers)) sent.setHeader(name, value);
    const content = body === undefined ? undefined : JSON.stringify(body);
    if (content !== undefined) {
      sent.setHeader('Content-Type', 'application/json');
      sent.setHeader('Content-Length', Buffer.byteLength(content)); // Node.js omits it for some methods
    }
    sent.end(content);
  });
}
