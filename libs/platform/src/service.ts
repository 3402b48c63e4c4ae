import { NestFactory } from '@nestjs/core';
import type { DynamicModule, INestApplication, INestApplicationContext, Type } from '@nestjs/common';
import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { inspect } from 'node:util';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import type { Application } from 'express';
import { ConfigError, type ServiceConfig } from './config.js';
import { serveAbout } from './about.js';
import { ReadinessService, serveHealth } from './health.js';
import { BODY_READER, BodyGuard, BodyReader, type BodyLimit } from './http/bodies/body-reader.js';
import { readClientAddresses } from './http/client-address.js';
import { ErrorFilter } from './http/error.filter.js';
import { refuseAmbiguousFraming } from './http/framing.js';
import { InputPipe } from './http/input.pipe.js';
import { refuseUnknownMethods } from './http/methods.js';
import { QueryGuard } from './http/query.guard.js';
import { createMetrics, requestMetrics, serveMetrics } from './http/metrics.js';
import { serveWaiting } from './http/waiting-server.js';
import { requestLogging } from './http/request-logging.js';
import { requestTracing } from './http/request-tracing.js';
import { securityHeaders } from './http/security-headers.js';
import { ServiceAdapter } from './http/service-adapter.js';
import { createLogger, NestLogger } from './logging.js';
import { serveOpenApi, type OpenApiInfo } from './openapi.js';
import { PlatformModule } from './platform.module.js';
import { removeControllers } from './remove-controllers.js';
import { withSourcePositions } from './source-positions.js';
import type { Prototypes } from './speed/express-prototypes.js';
import { collectGarbage, releaseGarbage } from './speed/collect-garbage.js';
import { releaseYoungGeneration } from './speed/young-generation.js';
import { currentTracer } from './tracing/spans.js';
import { startTracing, stopTracing } from './tracing/start-tracing.js';

const WAIT_MS = 1_000;

/** A worker runs the jobs of its start in this time, with a small young generation of the heap. */
const START_JOBS_MS = 10_000;

type RootModule = Parameters<typeof NestFactory.create>[0];

/** Control of the workers of a process that runs only jobs. */
export interface ServiceWorkers {
  /** Makes them take no jobs until `start`. Runs before the application is initialised. */
  hold: (app: INestApplicationContext) => void;
  /** Resolves when they are connected to their queues, or after a few seconds. */
  connect: (app: INestApplicationContext) => Promise<void>;
  /** Makes them take jobs. */
  start: (app: INestApplicationContext) => void;
}

export interface ServiceDefinition {
  name: string;
  config: ServiceConfig;
  /**
   * The root module. `PlatformModule`, which is added here, provides the logger and the metrics
   * registry to it.
   */
  module: RootModule;
  /** Absent for a server without a public API. */
  openApi?: OpenApiInfo;
  bodyLimits?: BodyLimit[];
  /** Path prefixes of routes that read the body themselves, as raw bytes of any type. */
  unreadBodies?: string[];
  /** Connects to the dependencies of the modules. Runs before any module starts. */
  connect?: (app: INestApplicationContext) => Promise<void>;
  /**
   * The action of the operator that the service waits for, as a sentence; null if it can start.
   * Called after `connect`, repeatedly.
   */
  waitsFor?: (app: INestApplicationContext) => Promise<string | null>;
  /** Absent for a service without jobs. */
  workers?: ServiceWorkers;
  /** Content of `GET /`. Without it the path answers 404. */
  about?: Record<string, string>;
}

/**
 * Creates the Nest application with the parts that all services share: logs, metrics, traces,
 * security headers, the checks of requests, bodies and queries, the error format, `/healthz`,
 * `/readyz` and the documentation. It is not initialised, and not connected to anything.
 */
export async function createService(
  definition: ServiceDefinition,
  logger = loggerOf(definition),
): Promise<INestApplication> {
  const { config } = definition;
  const metrics = createMetrics(definition.name);
  const root = PlatformModule.forRoot(definition.module, logger, metrics);
  const app = await NestFactory.create(root, new ServiceAdapter(logger, metrics), {
    bodyParser: false,
    abortOnError: false,
    logger: new NestLogger(logger),
    forceCloseConnections: false,
  });
  const express = app.getHttpAdapter().getInstance() as Application & Prototypes;
  express.disable('x-powered-by');
  express.set('trust proxy', config.TRUSTED_PROXIES);
  readClientAddresses(express);
  if (currentTracer()) express.use(requestTracing(config.SERVICE_TOKENS));
  express.use(
    requestLogging(logger),
    requestMetrics(metrics),
    securityHeaders(),
    refuseAmbiguousFraming(),
    refuseUnknownMethods(),
  );
  express.set(BODY_READER, new BodyReader(definition.bodyLimits ?? [], definition.unreadBodies));
  app.useGlobalGuards(new BodyGuard(), new QueryGuard());
  app.useGlobalFilters(new ErrorFilter(logger));
  app.useGlobalPipes(new InputPipe());
  serveHealth(app);
  if (definition.about) serveAbout(app, definition.about);
  if (definition.openApi) serveOpenApi(app, definition.openApi);
  return app;
}

/**
 * Runs a service in this process. It first waits as long as `waitsFor` gives a reason; HTTP and
 * metrics are available when it returns. If the start fails, prints the reason and exits with 1. It
 * stops on SIGTERM, on SIGINT, or at the end of a parent process that spawned it with an IPC
 * channel, and exits with 1 if that takes longer than the configured time.
 */
export const runService = (define: () => ServiceDefinition): Promise<void> => run(define, true);

/**
 * Runs only the jobs of a service. No requests are served; `/metrics` is available when it returns.
 * It starts and stops like `runService`.
 */
export const runWorker = (define: () => ServiceDefinition): Promise<void> => run(define, false);

async function run(define: () => ServiceDefinition, takesRequests: boolean): Promise<void> {
  await orExit(async () => {
    const definition = define();
    await startTracing(definition.name, definition.config); // before the logger, which logs trace_id only if tracing is on when it is created
    const logger = loggerOf(definition);
    collectGarbage();
    if (!takesRequests) removeControllers(definition.module as Type | DynamicModule);
    const app = await createService(definition, logger);
    await definition.connect?.(app);
    await waitUntilPrepared(definition, app, logger, takesRequests);
    const workers = takesRequests ? undefined : definition.workers;
    workers?.hold(app);
    await app.init();
    const { HOST, PORT, METRICS_PORT, SHUTDOWN_TIMEOUT_SECONDS, DRAIN_SECONDS } = definition.config;
    await workers?.connect(app);
    if (!takesRequests) releaseGarbage();
    const metrics = await serveMetrics(app.get(Registry), HOST, METRICS_PORT);
    if (takesRequests) await app.listen(PORT, HOST);
    if (takesRequests) releaseYoungGeneration();
    else setTimeout(releaseYoungGeneration, START_JOBS_MS).unref();
    const port = takesRequests ? PORT : undefined;
    logger.info(
      { port, metrics_port: METRICS_PORT },
      `${definition.name} is ${takesRequests ? 'listening' : 'working'}`,
    );
    process.send?.({ listening: port ?? METRICS_PORT });
    workers?.start(app);
    const drainSeconds = takesRequests ? DRAIN_SECONDS : 0;
    stopOnSignal(logger, drainSeconds + SHUTDOWN_TIMEOUT_SECONDS, () => stop(app, metrics, drainSeconds));
  });
}

/**
 * Waits until `waitsFor` of the service returns null. Meanwhile it logs the reason, and a service
 * that takes requests answers them with 503 and the reason. A signal to stop ends the process.
 */
async function waitUntilPrepared(
  { waitsFor, config, name }: ServiceDefinition,
  app: INestApplicationContext,
  logger: Logger,
  takesRequests: boolean,
): Promise<void> {
  let reason = (await waitsFor?.(app)) ?? null;
  if (reason === null) return;
  const leave = () => process.exit(0);
  const signals = ['SIGTERM', 'SIGINT', 'disconnect'] as const;
  for (const signal of signals) process.once(signal, leave);
  const server = takesRequests ? await serveWaiting(config.HOST, config.PORT, () => reason ?? '') : null;
  logger.warn(`${name} waits: ${reason}`);
  while (reason !== null) {
    await delay(WAIT_MS);
    reason = (await waitsFor?.(app)) ?? null;
  }
  if (server) await new Promise((closed) => server.close(closed).closeAllConnections());
  for (const signal of signals) process.removeListener(signal, leave);
}

const loggerOf = ({ name, config }: ServiceDefinition) => createLogger(name, config.LOG_LEVEL);

/**
 * Stops in steps. First `/readyz` answers 503, and each response closes its connection. After
 * `drainSeconds`, in which proxies notice this, no new connections are accepted. Then Nest's
 * `close` waits for open requests and for each module.
 */
async function stop(app: INestApplication, metrics: Server, drainSeconds: number): Promise<void> {
  app.get(ReadinessService).drain();
  (app.getHttpAdapter() as ServiceAdapter).drain();
  await delay(drainSeconds * 1_000);
  await app.close();
  metrics.close();
  await stopTracing();
}

function stopOnSignal(logger: Logger, timeoutSeconds: number, close: () => Promise<void>): void {
  let stopping = false;
  const stop = (reason: string) => {
    if (stopping) return;
    stopping = true;
    logger.info({ reason }, 'stopping');
    const deadline = setTimeout(() => {
      logger.error('did not stop in time; the next process continues the unfinished jobs');
      process.exit(1);
    }, timeoutSeconds * 1000);
    close().then(
      () => {
        clearTimeout(deadline);
        process.exit(0);
      },
      (error: unknown) => {
        logger.error({ err: error }, 'failed while stopping');
        process.exit(1);
      },
    );
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  process.once('disconnect', () => stop('the parent process is gone'));
}

/** Runs `start`. If it fails, prints the reason, in one line if possible, and exits with 1. */
async function orExit(start: () => Promise<void>): Promise<void> {
  try {
    await start();
  } catch (error) {
    const { code, port } = error as { code?: string; port?: number };
    if (error instanceof ConfigError) console.error(error.message);
    else if (code === 'EADDRINUSE')
      console.error(`Port ${port} is in use. Stop the program that listens there, or set PORT and METRICS_PORT.`);
    else console.error(withSourcePositions(inspect(error)));
    process.exit(1);
  }
}
