import type { Request } from 'express';

/**
 * Pattern of the route of a request, so that ids in paths do not multiply the series. `unmatched`
 * before the router has run, and if no route matches.
 */
export const routeOf = (request: Request): string => (request.route as { path?: string } | undefined)?.path ?? 'unmatched';
