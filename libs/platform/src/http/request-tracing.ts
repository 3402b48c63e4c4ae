import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { ServiceToken } from '../config.js';
import { isProbe } from './probes.js';
import { routeOf } from './route.js';
import { originOf } from '../tracing/propagation.js';
import { currentTracer, runInSpan } from '../tracing/spans.js';

/**
 * Makes a middleware that runs every request except probes in a span of the trace. The span
 * continues the trace of the sender as `originOf` decides with the `tokens`. It is named after the
 * method and the route pattern, not after the path, and counts as failed from status 500. While
 * tracing is off, the middleware does nothing.
 */
export function requestTracing(tokens: readonly ServiceToken[]): RequestHandler {
  return (request: Request, response: Response, next: NextFunction) => {
    const { method, path, headers } = request;
    const tracer = currentTracer();
    if (!tracer || isProbe(path)) {
      next();
      return;
    }
    const span = tracer.root(method, 'server', originOf(headers, tokens));
    response.once('close', () => {
      const { statusCode: status, headersSent, writableFinished } = response;
      const route = routeOf(request);
      const attributes = {
        'http.request.method': method,
        'http.route': route,
        ...(headersSent && { 'http.response.status_code': status }),
        ...(!writableFinished && { 'error.type': 'aborted' }), // the client disconnected
      };
      span.end({ name: `${method} ${route}`, attributes, failed: status >= 500 });
    });
    runInSpan(span, next);
  };
}
