import { call } from '../call.js';
import type { PlatformClient } from '../client.js';
import { ApiError, ConnectionError, isTransient, SignedOutError } from '../errors.js';
import { StreamReader, type PlatformEvent } from './stream-reader.js';

/** The platform says something every 15 s. */
const LONGEST_SILENCE_MS = 45_000;
/** Until the platform says another. */
const RETRY_MS = 3_000;
const LONGEST_PAUSE_MS = 30_000;
/** A stream that ends sooner is not followed by another one at once. */
const SHORT_MS = 1_000;

export interface FollowOptions {
  /** What the types of the wanted events begin with, such as `billing`; `extension` for those of apps. All unless told. */
  sources?: readonly string[] | undefined;
  /** The `id` of the last event that is known; what happens from now on unless told. The platform keeps events for 24 hours. */
  after?: string | undefined;
  /** Ends it: the iteration then throws the reason. */
  signal?: AbortSignal | undefined;
  /** Told of each connection: nothing that happens from the first one on is missed. */
  onOpen?: () => void;
  /** Told once for each trouble that may pass, and is waited out. `onOpen` tells that it has passed. */
  onTrouble?: (error: Error) => void;
}

/**
 * The events of the user, as they happen: each once and in order. Comes back by itself, where it was, when the connection is lost, a process of the platform stops, or
 * the access token expires, which the client's `tokens` renew.
 *
 * An event `stream.reset`, with the `id` null, says that more was missed than the platform can tell: read anew what you show.
 *
 * @throws SignedOutError when the session or the API key is no longer good, though it was to begin with; ApiError when the platform refuses; ConnectionError when it cannot be reached to begin with.
 */
export async function* followEvents(client: PlatformClient, options: FollowOptions = {}): AsyncGenerator<PlatformEvent, never, undefined> {
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
      // It was good before, so it is over.
      if (state.hasBegun && error instanceof ApiError && error.status === 401) throw new SignedOutError('session_ended');
      if (!state.hasBegun || !isTransient(error)) throw error;
      if (!state.failures++) onTrouble?.(error as Error);
      const asked = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) * 1_000 : 0;
      pauseMs = Math.max(asked, Math.min(state.retryMs * 2 ** (state.failures - 1), LONGEST_PAUSE_MS));
    }
    await delay(pauseMs, signal);
  }
}

interface State {
  after: string | undefined;
  retryMs: number;
  hasBegun: boolean;
  /** Since there was a stream. */
  failures: number;
}

/** Follows one stream to its end. Returns why that came, as the stream says it. */
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
  const params = { query: { source_types: sources?.join() }, ...(after !== undefined && { header: { 'Last-Event-ID': after } }) };
  const answer = client.GET('/v1/events/stream', { params, parseAs: 'stream', signal });
  const body = await call(answer);
  const { headers } = (await answer).response;
  if (!body || !headers.get('content-type')?.startsWith('text/event-stream')) {
    throw new ConnectionError('not_the_platform', 'Something else than the platform answers at this address.');
  }
  return body;
}

/** @param abort called where nothing comes for too long; while the text is worked on, nothing has to. */
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

const brokenOff = (cause?: unknown): ConnectionError => new ConnectionError('unreachable', 'The connection broke off.', { cause });

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
