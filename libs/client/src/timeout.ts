import { ConnectionError } from './errors.js';

export type Fetch = (request: Request, init?: RequestInit) => Promise<Response>;

/** From the timeout until the caller is told of it. */
const AWAKE_MS = 1_000;

/** Ends a request that takes longer, its body included, and says for a person why there was no answer. Streams of events have no end: they only have to begin. */
export function withTimeout(fetch: Fetch, timeoutMs: number): Fetch {
  return async (request) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    let isStream = false;
    // AbortSignal.timeout() does not hold the process: without an answer nobody would be told.
    const awake = setTimeout(() => undefined, timeoutMs + AWAKE_MS);
    try {
      const answer = await fetch(request, { signal: either(request, timeout, () => !isStream) });
      isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
      return answer;
    } catch (cause) {
      if (request.signal.aborted) throw cause; // the caller wanted that
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
 * Not AbortSignal.any() nor a Request made of the request: Node.js forgets such signals when it collects garbage, and the request
 * hangs (nodejs/undici#3644, #4068). Listeners that hold the request keep it.
 */
function either(request: Request, timeout: AbortSignal, counts: () => boolean): AbortSignal {
  const controller = new AbortController();
  if (request.signal.aborted) controller.abort(request.signal.reason);
  request.signal.addEventListener('abort', () => controller.abort(request.signal.reason), { once: true });
  timeout.addEventListener('abort', () => counts() && controller.abort(timeout.reason), { once: true });
  return controller.signal;
}

/** Node.js hides the reason in `cause`; browsers tell none. */
function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: { message?: unknown; code?: unknown } };
  const reason = [cause?.message, cause?.code].find((text) => typeof text === 'string' && text !== '');
  return reason === undefined ? '' : ` (${reason as string})`;
}
