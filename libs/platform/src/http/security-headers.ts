import type { NextFunction, Request, RequestHandler, Response } from 'express';
import helmet, { type HelmetOptions } from 'helmet';

const DOCUMENTATION_PATH = /^\/docs(\/|$)/;

/** Lets caches keep this answer, which is public and the same for everyone. */
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
 * Answers of an API load nothing and are framed by nobody. HSTS belongs to the edge that ends TLS. Answers are not stored
 * unless a route says so (RFC 6749 section 5.1).
 */
export function securityHeaders(): RequestHandler {
  const api = headersOf({
    ...COMMON,
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
  });
  const documentation = headersOf({
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
    response.setHeaders(DOCUMENTATION_PATH.test(request.path) ? documentation : api);
    next();
  };
}

/** What helmet sets. With options that depend on no request it is the same for every answer, so it is asked once and not for each. */
function headersOf(options: HelmetOptions): Map<string, string> {
  const headers = new Map<string, string>();
  const answer = {
    setHeader: (name: string, value: string) => headers.set(name, value),
    removeHeader: (name: string) => headers.delete(name),
  };
  // It sets and removes headers at once, and reads nothing of either; what it set is looked for below.
  helmet(options)({} as Request, answer as unknown as Response, (error) => {
    if (error) throw error as Error;
  });
  if (!headers.has('Content-Security-Policy')) throw new Error('helmet has not said its headers at once.');
  return headers;
}
