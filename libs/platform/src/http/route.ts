import type { Request } from 'express';

/** The pattern of the route that the request came to, so that ids in paths do not multiply what is counted. Known once it was found. */
export const routeOf = (request: Request): string => (request.route as { path?: string } | undefined)?.path ?? 'unmatched';
