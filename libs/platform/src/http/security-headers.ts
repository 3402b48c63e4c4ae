import type { NextFunction, Request, RequestHandler, Response } from 'express';
import helmet, { type HelmetOptions } from 'helmet';

const DOCUMENTATION_PATH = /^\/docs(\/|$)/;

/** Lets caches store this response, which is public and the same for all callers. */
export function allowCaching(response: Response, cacheControl: string): void {
  response.setHeader('Cache-Control', cacheControl);
  response.removeHeader('Pragma');
}

const COMMON: HelmetOptions = {
  referrerPolicy: { policy: 'no-referrer' },
  frameguard: { action: 'deny' },
  strictTransportSecurity: false,
};

/**
 * Makes a middleware that sets the security headers. Responses of the API load nothing and cannot
 * be framed; the page `/docs` can load its own scripts and styles. HSTS is left to the server that
 * ends TLS. Responses are not cached unless a route allows it (RFC 6749 section 5.1).
 */
export function securityHeaders(): RequestHandler {
  const setApi = helmet({
    ...COMMON,
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
  });
  const setDocumentation = helmet({
    ...COMMON,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
  });
  return (request: Request, response: Response, next: NextFunction) => {
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('Pragma', 'no-cache');
    response.setHeader('Vary', 'Authorization');
    (DOCUMENTATION_PATH.test(request.path) ? setDocumentation : setApi)(request, response, next);
  };
}
