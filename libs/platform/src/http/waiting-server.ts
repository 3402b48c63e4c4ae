import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';

/**
 * Starts a server that answers while a service cannot start yet: `/healthz` with 200, so that the
 * service is not restarted, and everything else with 503 and the reason.
 *
 * @param reason a sentence for the operator.
 * @throws Error `EADDRINUSE` if the port is in use.
 */
export async function serveWaiting(host: string, port: number, reason: () => string): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume();
    const isHealth = request.url === '/healthz';
    const requestId = randomUUID();
    const body = isHealth
      ? { status: 'ok' }
      : { detail: reason(), code: 'not_ready', request_id: requestId, checks: { database: reason() } };
    response
      .writeHead(isHealth ? 200 : 503, {
        'X-Request-Id': requestId,
        'Content-Type': 'application/json',
        'Cache-Control': 'no-store',
        Connection: 'close',
        ...(!isHealth && { 'Retry-After': '1' }),
      })
      .end(JSON.stringify(body));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return server;
}
