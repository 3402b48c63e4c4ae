import { NestFactory } from '@nestjs/core';
import type { INestApplication, INestApplicationContext } from '@nestjs/common';
import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { inspect } from 'node:util';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import type { Application } from 'express';
import { ConfigError, type ServiceConfig } from './config.js';
import { serveAbout } from './about.js';
import { Readiness, serveHealth } from './health.js';
import { BODY_READER, BodyGuard, BodyReader, type BodyLimit } from './http/bodies/body-reader.js';
import { readClientAddresses } from './http/client-address.js';
import { ErrorFilter } from './http/error.filter.js';
import { oneFraming } from './http/framing.js';
import { InputPipe } from './http/input.pipe.js';
import { knownMethods } from './http/methods.js';
import { QueryGuard } from './http/query-guard.js';
import { createMetrics, requestMetrics, serveMetrics } from './http/metrics.js';
import { serveWaiting } from './http/waiting-server.js';
import { requestLogging } from './http/request-logging.js';
import { requestTracing } from './http/request-tracing.js';
import { securityHeaders } from './http/security-headers.js';
import { ServiceAdapter } from './http/service-adapter.js';
import { createLogger, NestLogger } from './logging.js';
import { serveOpenApi, type OpenApiInfo } from './openapi.js';
import { PlatformModule } from './platform.module.js';
import { withSourcePlaces } from './source-places.js';
import type { Prototypes } from './speed/express-prototypes.js';
import { collectGarbage } from './speed/collect-garbage.js';
import { settleWorker } from './speed/settle-worker.js';
import { releaseYoungGeneration } from './speed/young-generation.js';
import { currentTracer } from './tracing/spans.js';
import { startTracing, stopTracing } from './tracing/start-tracing.js';

const WAIT_MS = 1_000;

type RootModule = Parameters<typeof NestFactory.create>[0];

export interface ServiceDefinition {
  name: string;
  config: ServiceConfig;
  /** The root module. It gets the logger and the metrics registry by `PlatformModule`, which is added here. */
  module: RootModule;
  /** Absent for a server whose routes are nobody else's to call. */
  openApi?: OpenApiInfo;
  bodyLimits?: BodyLimit[];
  /** Where paths begin whose routes read the bodies themselves, to the byte and of any type. */
  unreadBodies?: string[];
  /** Runs before any module starts: connects to what the modules need. */
  connect?: (app: INestApplicationContext) => Promise<void>;
  /** What somebody has to do before it can start, as a sentence; null once it can. Asked after `connect`, again and again. */
  waitsFor?: (app: INestApplicationContext) => Promise<string | null>;
  /** What `GET /` says; without it the path is like any other that there is not. */
  about?: Record<string, string>;
}

/** The application, with all that every service has, not yet initialised and connected to nothing. */
export async function createService(definition: ServiceDefinition, logger = loggerOf(definition)): Promise<INestApplication> {
  const { config } = definition;
  const metrics = createMetrics(definition.name);
  const root = PlatformModule.around(definition.module, logger, metrics);
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
  express.use(requestLogging(logger), requestMetrics(metrics), securityHeaders(), oneFraming(), knownMethods());
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
 * Starts a service as this process: HTTP and metrics are up when it returns. Stops on SIGTERM, SIGINT, or when a parent that
 * spawned it with an IPC channel is gone.
 */
export const runService = (define: () => ServiceDefinition): Promise<void> => run(define, true);

/** Starts a service for its jobs alone: it takes no requests, and `/metrics` is up when it returns. Stops like a service. */
export const runWorker = (define: () => ServiceDefinition): Promise<void> => run(define, false);

async function run(define: () => ServiceDefinition, takesRequests: boolean): Promise<void> {
  await orExit(async () => {
    const definition = define();
    await startTracing(definition.name, definition.config); // before the logger, which has trace_id only where tracing is on when it is made
    const logger = loggerOf(definition);
    collectGarbage();
    const app = await createService(definition, logger);
    await definition.connect?.(app);
    await waitUntilPrepared(definition, app, logger, takesRequests);
    await app.init();
    const { HOST, PORT, METRICS_PORT, SHUTDOWN_TIMEOUT_SECONDS, DRAIN_SECONDS } = definition.config;
    if (!takesRequests) settleWorker();
    const metrics = await serveMetrics(app.get(Registry), HOST, METRICS_PORT);
    if (takesRequests) {
      await app.listen(PORT, HOST);
      releaseYoungGeneration();
    }
    const port = takesRequests ? PORT : undefined;
    logger.info({ port, metrics_port: METRICS_PORT }, `${definition.name} is ${takesRequests ? 'listening' : 'working'}`);
    process.send?.({ listening: port ?? METRICS_PORT });
    const drainSeconds = takesRequests ? DRAIN_SECONDS : 0;
    stopOnSignal(logger, drainSeconds + SHUTDOWN_TIMEOUT_SECONDS, () => stop(app, metrics, drainSeconds));
  });
}

/** Meanwhile the service says what it waits for, and takes no traffic. */
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
 * First `/readyz` answers 503 and each answer closes its connection. After `drainSeconds`, in which proxies notice, no new connections are accepted. Nest's
 * `close` then waits for open requests and for each module.
 */
async function stop(app: INestApplication, metrics: Server, drainSeconds: number): Promise<void> {
  app.get(Readiness).drain();
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
      logger.error('did not stop in time; what was running is left to the next process');
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

/** A start that fails says why in one line where it can, and exits 1. */
async function orExit(start: () => Promise<void>): Promise<void> {
  try {
    await start();
  } catch (error) {
    const { code, port } = error as { code?: string; port?: number };
    if (error instanceof ConfigError) console.error(error.message);
    else if (code === 'EADDRINUSE') console.error(`Port ${port} is taken. Stop what listens there, or set PORT and METRICS_PORT.`);
    else console.error(withSourcePlaces(inspect(error)));
    process.exit(1);
  }
}
