import type { Request } from 'express';

/** Aborted when the caller has gone before it had its answer. */
export function closed(request: Request): AbortSignal {
  const controller = new AbortController();
  request.res?.once('close', () => {
    if (!request.res?.writableFinished) controller.abort();
  });
  return controller.signal;
}
