import { call } from '../call.js';
import type { PlatformClient } from '../client.js';
import { ApiError, ConnectionError, isTransient, SignedOutError } from '../errors.js';
import { StreamReader, type PlatformEvent } from './stream-reader.js';

/** The platform sends at least a comment every 15 s. */
const LONGEST_SILENCE_MS = 45_000;
/** Default pause before a new connection; the platform can send another. */
const RETRY_MS = 3_000;
const LONGEST_PAUSE_MS = 30_000;
/** A stream that ended sooner than this is not reopened at once. */
const SHORT_MS = 1_000;

export interface FollowOptions {
  /**
   * First parts of the wanted event types, such as `billing`; `extension` for events of apps. All
   * events by default.
   */
  sources?: readonly string[] | undefined;
  /**
   * The `id` of the last known event. By default, only new events are sent. The platform keeps
   * events for 24 hours.
   */
  after?: string | undefined;
  /** Ends the iteration, which then throws the abort reason. */
  signal?: AbortSignal | undefined;
  /** Called for each connection. No event after the first call is missed. */
  onOpen?: () => void;
  /**
   * Called once for each temporary problem, before the client reconnects. `onOpen` is called when
   * the problem is over.
   */
  onTrouble?: (error: Error) => void;
}

/**
 * Yields the events of the user: each event once and in order. Reconnects at its position, without
 * a limit of tries, if the connection is lost, a process of the platform stops, or the access token
 * expires. The client's `tokens` renew the token.
 *
 * An event `stream.reset`, with the `id` null, means that more events were missed than the platform
 * keeps: load your data again.
 *
 * @throws SignedOutError if the `tokens` have no session, or the session or the API key becomes
 * invalid later; ApiError if the platform refuses, at the first connection also temporarily;
 * ConnectionError if the first connection fails; the reason of `signal` when it aborts.
 */
export async function* followEvents(
  client: PlatformClient,
  options: FollowOptions = {},
): AsyncGenerator<PlatformEvent, never, undefined> {
  const { signal, onTrouble } = options;
  const state: State = { after: options.after, retryMs: RETRY_MS, hasBegun: false, failures: 0 };
  for (;;) {
    signal?.throwIfAborted();
    const started = Date.now();
    let pauseMs: number;
    try {
      const end = yield* followOnce(client, options, state);
      if (end === 'session_ended') throw new SignedOutError('session_ended');
      pauseMs = end === 'token_expired' && Date.now() - started > SHORT_MS ? 0 : state.retryMs;
    } catch (error) {
      signal?.throwIfAborted();
      // The credentials worked at the beginning, so the session has ended.
      if (state.hasBegun && error instanceof ApiError && error.status === 401)
        throw new SignedOutError('session_ended');
      if (!state.hasBegun || !isTransient(error)) throw error;
      if (!state.failures++) onTrouble?.(error as Error);
      const asked = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) * 1_000 : 0;
      pauseMs = Math.max(asked, Math.min(state.retryMs * 2 ** (state.failures - 1), LONGEST_PAUSE_MS));
    }
    signal?.throwIfAborted(); // the stream may have ended for this reason
    await delay(pauseMs, signal);
  }
}

interface State {
  after: string | undefined;
  retryMs: number;
  hasBegun: boolean;
  /** Failed connections since the last stream. */
  failures: number;
}

/**
 * Yields the events of one stream until it is closed. Returns the reason that its last event,
 * `stream.closed`, gives. Keeps the position and the pause before a new connection in `state`.
 *
 * @throws ConnectionError if the platform cannot be reached or the stream breaks off without a
 * reason; ApiError if the platform refuses it.
 */
async function* followOnce(client: PlatformClient, { sources, signal, onOpen }: FollowOptions, state: State) {
  const connection = new AbortController();
  const abort = () => connection.abort();
  signal?.addEventListener('abort', abort, { once: true });
  const arrived: PlatformEvent[] = [];
  const parser = new StreamReader({
    onRetry: (milliseconds) => (state.retryMs = milliseconds),
    onPosition: (id) => (state.after = id),
    onEvent: (event) => arrived.push(event),
  });
  try {
    const texts = textsOf(await open(client, sources, state.after, connection), abort);
    state.hasBegun = true;
    state.failures = 0;
    onOpen?.();
    for await (const text of texts) {
      parser.feed(text);
      for (const event of arrived.splice(0)) {
        if (event.id === null && event.type === 'stream.closed') return String(event.payload['reason']);
        yield event;
      }
    }
    throw brokenOff();
  } finally {
    signal?.removeEventListener('abort', abort);
    connection.abort();
  }
}

async function open(
  client: PlatformClient,
  sources: readonly string[] | undefined,
  after: string | undefined,
  { signal }: AbortController,
): Promise<ReadableStream<Uint8Array>> {
  const params = {
    query: { source_types: sources?.join() },
    ...(after !== undefined && { header: { 'Last-Event-ID': after } }),
  };
  const answer = client.GET('/v1/events/stream', { params, parseAs: 'stream', signal });
  const body = await call(answer);
  const { headers } = (await answer).response;
  if (!body || !headers.get('content-type')?.startsWith('text/event-stream')) {
    throw new ConnectionError('not_the_platform', 'The server at this address is not the platform. Check the address.');
  }
  return body;
}

/**
 * Decodes a body and yields its text as it arrives.
 *
 * @param abort called if nothing arrives for 45 s. Time that the consumer spends on a text does not
 * count.
 * @throws ConnectionError if the connection breaks off.
 */
async function* textsOf(body: ReadableStream<Uint8Array>, abort: () => void): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (;;) {
    const silence = setTimeout(abort, LONGEST_SILENCE_MS);
    const { done, value } = await reader
      .read()
      .catch((cause: unknown) => {
        throw brokenOff(cause);
      })
      .finally(() => clearTimeout(silence));
    if (done) return;
    yield decoder.decode(value, { stream: true });
  }
}

const brokenOff = (cause?: unknown): ConnectionError =>
  new ConnectionError('unreachable', 'The connection was interrupted.', { cause });

function delay(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      if (signal?.aborted) reject(signal.reason as Error);
      else resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal?.addEventListener('abort', end);
  });
}
