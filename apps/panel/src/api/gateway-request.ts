import type { Request } from 'express';
import type { GatewayRequest } from '../gateway/panel-gateway.client.js';
import { ApiErrors } from './api.errors.js';

/**
 * Only plain path segments: with an id such as `%2e%2e`, resolving dots would lead to another
 * route.
 */
const PATH = /^\/api((?:\/[\w-]+)+)\/?$/;

/**
 * Converts a request of the browser to a request to the gateway: method, path without `/api`,
 * query, body and `Idempotency-Key`, and nothing else. HEAD becomes GET, since the answer must
 * contain the length of the body.
 *
 * @throws AppError 404 `not_found` if a part of the path has other characters than letters, digits,
 * `_` and `-`.
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
