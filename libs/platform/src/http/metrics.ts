import { createServer, STATUS_CODES, type Server } from 'node:http';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { routeOf } from './route.js';

/** Creates the service's Prometheus registry, with the default metrics of Node.js. */
export function createMetrics(service: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'metrics_unread',
    help: 'Number of metrics that could not be read this time, and are left out',
    registers: [registry],
  });
  return registry;
}

/**
 * Makes a middleware that measures the time of each response that is sent completely, by method,
 * route pattern and status. Paths are not used, because each id in them would make another time
 * series.
 */
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

/**
 * The label `status` of a response: its status code, or its class such as `4xx` if the number is
 * not an HTTP status. A webhook of an app can answer with any number, and would otherwise make many
 * time series.
 */
const statusOf = ({ statusCode }: Response): string | number =>
  statusCode in STATUS_CODES ? statusCode : `${Math.floor(statusCode / 100)}xx`;

/**
 * Creates the metric `http_connection_errors_total`: the number of connections that ended without a
 * valid request. Its label `code` is the error code in the response, such as `malformed_request`,
 * or `connection_lost` if the network connection failed.
 */
export function connectionErrors(registry: Registry): Counter<'code'> {
  return new Counter({
    name: 'http_connection_errors_total',
    help: 'Connections that ended because of an invalid request, a slow request, or a lost connection',
    labelNames: ['code'],
    registers: [registry],
  });
}

/**
 * Serves `GET /metrics` on its own port, which the public ingress does not reach, and `/healthz`
 * beside it. Workers have no other port, and `/metrics` can be slow while the database is
 * unavailable, which is no reason for a restart.
 *
 * @throws Error `EADDRINUSE` if the port is in use.
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

/**
 * Reads all metrics in the text format of Prometheus. A metric that fails, such as one that reads
 * the database during an outage, is left out, and counted in `metrics_unread`.
 */
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
