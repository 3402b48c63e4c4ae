import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { runInContext, type Actor, type RequestContext } from '../request-context.js';
import { currentSpan, runInSpan } from '../tracing/spans.js';
import { isProbe } from './probes.js';

const ACCEPTED_REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/**
 * The context of a request. It creates its logger at the first use, because most requests log
 * nothing.
 */
class HttpRequest implements RequestContext {
  caller?: string;
  actor?: Actor;
  isRoutine?: boolean;
  private child: Logger | undefined;

  constructor(
    readonly requestId: string,
    private readonly logger: Logger,
    private readonly request: Request,
  ) {}

  get ipAddress(): string | undefined {
    return this.request.ip;
  }

  get userAgent(): string | undefined {
    return this.request.headers['user-agent'];
  }

  get log(): Logger {
    return (this.child ??= this.logger.child({ request_id: this.requestId }));
  }
}

/**
 * Makes a middleware that gives every request an id (its own `X-Request-Id` if that is
 * well-formed), a logger that carries the id, and one log line at its end. Probes are not logged.
 * The path is logged without its query, because a query can contain a token. pino-http is not used,
 * because it took a seventh of the processor time of `GET /v1/auth/me`.
 */
export function requestLogging(logger: Logger): RequestHandler {
  return (request: Request, response: Response, next: NextFunction) => {
    const started = performance.now();
    const context = new HttpRequest(requestIdOf(request), logger, request);
    response.setHeader('X-Request-Id', context.requestId);
    const { method, path } = request;
    const span = currentSpan();
    const end = () => logEnd(logger, context, { method, path }, response, started);
    if (!isProbe(path)) response.once('close', span ? () => runInSpan(span, end) : end);
    runInContext(context, next);
  };
}

function requestIdOf({ headers }: Request): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && ACCEPTED_REQUEST_ID.test(given) ? given : randomUUID();
}

/**
 * Logs the end of a request: on level `error` for 500 and above, `debug` for a successful response
 * of a `@Routine` route, otherwise `info`. `aborted`: the client disconnected before it had the
 * whole response. The request id is added here, because creating the request's own logger takes
 * longer than the log line.
 */
function logEnd(
  logger: Logger,
  context: HttpRequest,
  req: { method: string; path: string },
  response: Response,
  started: number,
): void {
  const { statusCode: status, writableFinished } = response;
  const level = status >= 500 ? 'error' : context.isRoutine && status < 400 ? 'debug' : 'info';
  if (!logger.isLevelEnabled(level)) return;
  const { requestId: request_id, caller } = context;
  const duration_ms = Math.round((performance.now() - started) * 10) / 10;
  const line = {
    request_id,
    req,
    res: { status },
    caller,
    duration_ms,
    ...(writableFinished ? {} : { aborted: true }),
  };
  logger[level](line, `${req.method} ${status}`);
}
