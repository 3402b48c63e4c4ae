import type { Request } from 'express';
import type { GatewayRequest } from '../gateway/gateway.js';
import { ApiErrors } from './api.errors.js';

/** Plain segments alone: with `%2e%2e` for an id, a path would lead to another route once its dots are resolved. */
const PATH = /^\/api((?:\/[\w-]+)+)\/?$/;

/**
 * The same request to the gateway: its method, its path without `/api`, its query, its body and its `Idempotency-Key`, and nothing else of it. A HEAD is a GET
 * there, since the answer says how long its body would be.
 */
export function toGatewayRequest(request: Request): GatewayRequest {
  const path = PATH.exec(request.path)?.[1];
  if (!path) throw ApiErrors.notFound();
  const query = request.originalUrl.indexOf('?');
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  return {
    method,
    path: query < 0 ? path : `${path}${request.originalUrl.slice(query)}`,
    body: method === 'GET' ? undefined : (request.body as unknown),
    idempotencyKey: request.get('idempotency-key'),
  };
}
