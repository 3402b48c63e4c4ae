import { createServer, STATUS_CODES, type Server } from 'node:http';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { routeOf } from './route.js';

/** The service's Prometheus registry, with Node's own figures in it. */
export function createMetrics(service: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  new Gauge({ name: 'metrics_unread', help: 'How many metrics could not be read this time, and are left out', registers: [registry] });
  return registry;
}

/** Observes every answer under its route pattern, so that ids in paths do not multiply the series. */
export function requestMetrics(registry: Registry): RequestHandler {
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request line to the end of the answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  return (request: Request, response: Response, next: NextFunction) => {
    const started = process.hrtime.bigint();
    response.once('finish', () => {
      const elapsed = Number(process.hrtime.bigint() - started) / 1e9;
      durations.observe({ method: request.method, route: routeOf(request), status: statusOf(response) }, elapsed);
    });
    next();
  };
}

/** Webhooks of apps may answer any number. What is no status of HTTP is counted by its class, so that nobody multiplies the series. */
const statusOf = ({ statusCode }: Response): string | number =>
  statusCode in STATUS_CODES ? statusCode : `${Math.floor(statusCode / 100)}xx`;

/** Counts what ends a connection and is no request, by the code of what is answered, or `connection_lost`. */
export function connectionErrors(registry: Registry): Counter<'code'> {
  return new Counter({
    name: 'http_connection_errors_total',
    help: 'Connections that ended with what is no request, came too slowly, or was lost on the way',
    labelNames: ['code'],
    registers: [registry],
  });
}

/**
 * Serves `GET /metrics` on a port of its own, which the public ingress does not reach, and `/healthz` beside it: workers have no other port, and `/metrics` may
 * take long while the database is away, for which nobody should restart them.
 */
export async function serveMetrics(registry: Registry, host: string, port: number): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.url === '/healthz') {
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"status":"ok"}');
      return;
    }
    if (request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    readMetrics(registry).then(
      (text) => response.writeHead(200, { 'Content-Type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return server;
}

/** What can be read: a metric that cannot, such as one of the database while that is away, leaves out itself alone. */
async function readMetrics(registry: Registry): Promise<string> {
  const unread = registry.getSingleMetric('metrics_unread');
  const metrics = registry.getMetricsAsArray().filter(({ name }) => name !== 'metrics_unread');
  const texts = await Promise.allSettled(metrics.map(({ name }) => registry.getSingleMetricAsString(name)));
  const read = texts.flatMap((text) => (text.status === 'fulfilled' ? [text.value] : []));
  if (unread instanceof Gauge) {
    unread.set(metrics.length - read.length);
    read.push(await registry.getSingleMetricAsString('metrics_unread'));
  }
  return `${read.join('\n\n')}\n`;
}
