import type { Request } from 'express';

/**
 * Pattern of the route of a request, such as `/v1/apps/:id`: a label of metrics, where each path
 * would make another time series. `unmatched` before the router has run, and if no route matches.
 */
export const routeOf = (request: Request): string =>
  (request.route as { path?: string } | undefined)?.path ?? 'unmatched';
