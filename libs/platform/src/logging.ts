import type { LoggerService } from '@nestjs/common';
import { pino, type DestinationStream, type Logger } from 'pino';
import { withSourcePositions } from './source-positions.js';
import { currentSpan, currentTracer } from './tracing/spans.js';

/** Keys of secret values, which are replaced in logs, at the top level and one level down. */
const SECRET_KEYS = [
  'password',
  'new_password',
  'current_password',
  'token',
  'access_token',
  'refresh_token',
  'code_verifier',
  'device_code',
  'secret',
  'authorization',
  'cookie',
  '["x-service-token"]',
  '["x-api-key"]',
  '["set-cookie"]',
];

/**
 * Properties that TypeORM and pg add to an error: statements and values of rows, which are personal
 * or secret. They are not logged.
 */
const NOT_LOGGED = new Set(['query', 'parameters', 'driverError', 'detail', 'where', 'internalQuery']);

function withoutData(error: unknown): unknown {
  if (typeof error !== 'object' || error === null) return error;
  const entries = Object.entries(pino.stdSerializers.err(error as Error)).filter(([key]) => !NOT_LOGGED.has(key));
  return Object.fromEntries(
    entries.map(([key, value]) => [key, key === 'stack' ? withSourcePositions(String(value)) : (value as unknown)]),
  );
}

/**
 * Creates the logger of a service, which writes JSON lines to standard output or to `destination`.
 * Values of keys with the names of secrets (`SECRET_KEYS`), at the top level or one level down, are
 * replaced. Statements and data of rows that errors of the database carry are left out. If tracing
 * is on now, each line has its `trace_id`.
 */
export function createLogger(service: string, level: string, destination?: DestinationStream): Logger {
  const at = (prefix: string) =>
    SECRET_KEYS.map((key) => (key.startsWith('[') ? `${prefix}${key}` : `${prefix}.${key}`));
  const options = {
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: withoutData },
    // pino calls a mixin for every line, so it is set only while tracing is on.
    ...(currentTracer() && { mixin: traceOfLine }),
    redact: { paths: [...SECRET_KEYS, ...at('*')], censor: '[redacted]' },
  };
  return destination ? pino(options, destination) : pino(options);
}

/**
 * The `trace_id` for a log line, by which the lines of all services about one request are found;
 * empty outside of a trace.
 */
function traceOfLine(): object {
  const span = currentSpan();
  return span ? { trace_id: span.traceId } : {};
}

/** Sends Nest's own messages to pino. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, context?: string): void {
    this.logger.debug({ context }, String(message));
  }
  warn(message: unknown, context?: string): void {
    this.logger.warn({ context }, String(message));
  }
  error(message: unknown, stack?: string, context?: string): void {
    this.logger.error({ context, stack: stack && withSourcePositions(stack) }, String(message));
  }
  fatal(message: unknown, stack?: string, context?: string): void {
    this.logger.fatal({ context, stack: stack && withSourcePositions(stack) }, String(message));
  }
}
