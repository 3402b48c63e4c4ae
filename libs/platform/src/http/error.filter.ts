import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import { AppError, Errors, ValidationFailed } from '../errors.js';
import { allowedMethods, MethodErrors } from './methods.js';

/**
 * Answers thrown errors in the error format of the API, and logs unexpected ones. If the response
 * has already begun, it closes the connection instead. If the client has disconnected and the work
 * was aborted, it does nothing.
 */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    const requestId = String(response.getHeader('X-Request-Id'));
    // The client has disconnected, and the work for it was cancelled. Nothing failed, and no answer
    // can be sent.
    if (response.destroyed && isAbort(thrown)) return;
    if (response.headersSent) {
      this.logger.error({ err: thrown, request_id: requestId }, 'the request failed after the response had begun');
      response.destroy();
      return;
    }
    if (thrown instanceof ValidationFailed) {
      response.status(422).json({ detail: thrown.issues, code: 'validation_failed', request_id: requestId });
      return;
    }
    const error = this.toAppError(thrown, request, requestId);
    response
      .status(error.status)
      .set(error.options.headers ?? {})
      .json({ detail: error.message, code: error.code, request_id: requestId, ...error.options.details });
  }

  private toAppError(thrown: unknown, request: Request, requestId: string): AppError {
    if (thrown instanceof AppError) {
      if (thrown.options.cause) this.logger.warn({ err: thrown.options.cause, request_id: requestId }, thrown.code);
      return thrown;
    }
    if (isUnreachable(thrown)) {
      this.logger.error({ err: thrown, request_id: requestId }, 'a server this service needs does not answer');
      return Errors.unavailable();
    }
    if (thrown instanceof HttpException) return fromNest(thrown, request);
    this.logger.error({ err: thrown, request_id: requestId }, 'unexpected error');
    return new AppError(
      500,
      'internal_error',
      'Something went wrong on our side. Quote the request id when you report it.',
    );
  }
}

const isAbort = (thrown: unknown): boolean => (thrown as { name?: unknown } | null | undefined)?.name === 'AbortError';

/**
 * Converts an error of Nest or Express. A 404 becomes `not_found` if no route has the path, and 405
 * `method_not_allowed` if the path takes other methods. Any other status below 500 stays, with the
 * code `malformed_request`. Any other becomes 503 `unavailable`.
 */
function fromNest(exception: HttpException, request: Request): AppError {
  const status = exception.getStatus();
  if (status === 404) {
    const allowed = allowedMethods(request);
    if (!allowed.length) return new AppError(404, 'not_found', 'There is nothing at this path.');
    return MethodErrors.notAllowed(allowed);
  }
  return status < 500 ? Errors.malformedRequest(status) : Errors.unavailable();
}

const UNREACHABLE_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'ERR_STREAM_DESTROYED',
]);
/**
 * Messages of pg and its pool, of TypeORM, and of ioredis. None of them sets a code for these
 * errors.
 */
const UNREACHABLE_MESSAGES =
  /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed and is not queryable|Query runner already released|Database connection provided by a query runner was already released|Driver not Connected|Cannot use a pool after calling end|Connection is closed|Stream isn't writeable|Reached the max retries per request)/;

/**
 * True if the error says that a database, a queue or another server is down, out of connections, or
 * too busy to answer in time. The request then answers 503, because a retry can succeed. SQLSTATE
 * classes: 08 connection exception, 53 insufficient resources, 57 operator intervention, which
 * includes 57014, the statement timeout
 * (https://www.postgresql.org/docs/current/errcodes-appendix.html).
 */
export function isUnreachable(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  const { code, driverError } = thrown as { code?: unknown; driverError?: unknown };
  if (driverError && driverError !== thrown && isUnreachable(driverError)) return true;
  if (thrown instanceof AggregateError && thrown.errors.some(isUnreachable)) return true;
  if (UNREACHABLE_MESSAGES.test(thrown.message)) return true;
  return typeof code === 'string' && (UNREACHABLE_CODES.has(code) || /^(08|53|57)/.test(code));
}
