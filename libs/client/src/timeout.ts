import { ConnectionError } from './errors.js';

export type Fetch = (request: Request, init?: RequestInit) => Promise<Response>;

/** Extra time that keeps the process alive after the timeout, until the caller has the error. */
const AWAKE_MS = 1_000;

/**
 * Returns a `fetch` that ends a request, including its body, after `timeoutMs`. The body of an
 * event stream has no time limit. Errors of a body are those of the given `fetch`, unchanged.
 *
 * @throws ConnectionError if no answer begins in time or the server cannot be reached; the abort
 * reason if the caller aborts the request.
 */
export function withTimeout(fetch: Fetch, timeoutMs: number): Fetch {
  return async (request) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    let isStream = false;
    // AbortSignal.timeout() does not keep the process alive: it could exit before the timeout is
    // reported.
    const awake = setTimeout(() => undefined, timeoutMs + AWAKE_MS);
    try {
      const answer = await fetch(request, { signal: either(request, timeout, () => !isStream) });
      isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
      return answer;
    } catch (cause) {
      if (request.signal.aborted) throw cause; // aborted by the caller
      const { origin } = new URL(request.url);
      if (timeout.aborted) {
        throw new ConnectionError('timeout', `${origin} did not answer within ${timeoutMs / 1000} s.`, { cause });
      }
      throw new ConnectionError('unreachable', `${origin} cannot be reached${reasonOf(cause)}.`, { cause });
    } finally {
      clearTimeout(awake);
    }
  };
}

/**
 * Returns a signal that aborts with the request, or after the timeout while it `counts`. Does not
 * use AbortSignal.any(), or a new Request from the request: Node.js can collect these signals as
 * garbage, and the request hangs (nodejs/undici#3644, #4068). Listeners that refer to the request
 * keep the signal alive.
 */
function either(request: Request, timeout: AbortSignal, counts: () => boolean): AbortSignal {
  const controller = new AbortController();
  if (request.signal.aborted) controller.abort(request.signal.reason);
  request.signal.addEventListener('abort', () => controller.abort(request.signal.reason), { once: true });
  timeout.addEventListener('abort', () => counts() && controller.abort(timeout.reason), { once: true });
  return controller.signal;
}

/**
 * Reason of a failed fetch in brackets, from the `cause` of Node.js; empty in browsers, which give
 * none.
 */
function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: { message?: unknown; code?: unknown } };
  const reason = [cause?.message, cause?.code].find((text) => typeof text === 'string' && text !== '');
  return reason === undefined ? '' : ` (${reason as string})`;
}
