import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { AppError } from '../errors.js';

/** Methods of which each is used by some route of the platform. */
const KNOWN: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

export const MethodErrors = {
  /** 501 for a method that no path takes. */
  unknown: () => new AppError(501, 'not_implemented', `Unknown method. Use one of ${[...KNOWN].join(', ')}.`),
  notAllowed: (methods: readonly string[]) => {
    const headers = { Allow: methods.join(', ') };
    return new AppError(405, 'method_not_allowed', `This path takes ${headers.Allow}.`, { headers });
  },
};

/**
 * Makes a middleware that answers 501 `not_implemented` to methods that no path takes, and OPTIONS
 * with the methods of the path, unless a route handles OPTIONS itself or no route has the path.
 */
export function refuseUnknownMethods(): RequestHandler {
  return (request: Request, response: Response, next: NextFunction) => {
    const { method } = request;
    if (!KNOWN.has(method)) {
      next(MethodErrors.unknown());
      return;
    }
    const allowed = method === 'OPTIONS' ? allowedMethods(request) : [];
    if (!allowed.length || allowed.includes('OPTIONS')) next();
    else response.status(204).set('Allow', allowed.join(', ')).end();
  };
}

interface RouterLayer {
  match(path: string): boolean;
  route?: { methods: Record<string, boolean> };
}

/** Methods that routes take at the path of this request; empty if no route has this path. */
export function allowedMethods(request: Request): string[] {
  const { stack } = (request.app as unknown as { router: { stack: RouterLayer[] } }).router;
  const methods = new Set<string>();
  for (const layer of stack) {
    if (!layer.route || !layer.match(request.path)) continue;
    const taken = Object.keys(layer.route.methods).map((method) => method.toUpperCase());
    for (const method of taken.includes('_ALL') ? KNOWN : taken) methods.add(method);
  }
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods].sort();
}
