const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/**
 * Milliseconds in which repeated signals count as one request: on Ctrl-C, both the terminal and npm
 * send a signal.
 */
const SAME_REQUEST_MS = 1000;
const PARENT_CHECK_MS = 500;

/**
 * Listens for a request to stop: a signal, or the end of the npm that started this process. A
 * second signal forces the stop.
 *
 * @returns {{ requested: AbortSignal, forced: AbortSignal }}
 */
export function listenForStop() {
  const requested = new AbortController();
  const forced = new AbortController();
  let firstAt = 0;
  const request = () => {
    if (!requested.signal.aborted) {
      firstAt = Date.now();
      requested.abort(new Error('asked to stop'));
    } else if (Date.now() - firstAt > SAME_REQUEST_MS) forced.abort();
  };
  for (const signal of SIGNALS) process.on(signal, request);
  if (process.env.npm_lifecycle_event) {
    const parent = process.ppid;
    const timer = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(timer);
      request();
    }, PARENT_CHECK_MS);
    timer.unref();
  }
  return { requested: requested.signal, forced: forced.signal };
}
