import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { pinoHttp } from 'pino-http';
import { currentContext, runInContext } from '../request-context.js';

const ACCEPTED_REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;
const PROBES = new Set(['/healthz', '/readyz', '/v1/health']);

/**
 * Gives every request an id (its own `X-Request-Id` when that is well formed), a logger that carries it, and one line when
 * it ends. The path is logged without its query, since a query may hold a token.
 */
export function requestLogging(logger: Logger): RequestHandler {
  const log = pinoHttp<Request, Response>({
    logger,
    genReqId: (request) => {
      const given = request.headers['x-request-id'];
      return typeof given === 'string' && ACCEPTED_REQUEST_ID.test(given) ? given : randomUUID();
    },
    quietReqLogger: true,
    customAttributeKeys: { reqId: 'request_id', responseTime: 'duration_ms' },
    serializers: {
      req: (request: { method: string; url: string }) => ({ method: request.method, path: request.url.split('?')[0] }),
      res: (response: { statusCode: number }) => ({ status: response.statusCode }),
      err: (error: Error) => ({ message: error.message }),
    },
    customProps: () => ({ caller: currentContext()?.caller }),
    customLogLevel: (_request, response) => (response.statusCode >= 500 ? 'error' : 'info'),
    customSuccessMessage: (request, response) => `${request.method} ${response.statusCode}`,
    customErrorMessage: (request, response) => `${request.method} ${response.statusCode}`,
    autoLogging: { ignore: (request) => PROBES.has(request.url) },
  });
  return (request: Request, response: Response, next: NextFunction) => {
    log(request, response);
    const requestId = request.id as string;
    response.setHeader('X-Request-Id', requestId);
    runInContext({ requestId, log: request.log }, next);
  };
}
