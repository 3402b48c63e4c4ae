import type { Request } from 'express';
import type { GatewayRequest } from '../gateway/gateway.js';
import { ApiErrors } from './api.errors.js';

/** Plain segments alone: with `%2e%2e` for an id, a path would lead to another route once its dots are resolved. */
const PATH = /^\/api((?:\/[\w-]+)+)\/?$/;

/** The same request to the gateway: its method, its path without `/api`, its query, its body and its `Idempotency-Key`, and nothing else of it. */
export function toGatewayRequest(request: Request): GatewayRequest {
  const path = PATH.exec(request.path)?.[1];
  if (!path) throw ApiErrors.notFound();
  const query = request.originalUrl.indexOf('?');
  return {
    method: request.method,
    path: query < 0 ? path : `${path}${request.originalUrl.slice(query)}`,
    body: request.method === 'GET' ? undefined : (request.body as unknown),
    idempotencyKey: request.get('idempotency-key'),
  };
}
