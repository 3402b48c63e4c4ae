import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import {
  APP_ANSWER_HEADERS,
  appContentHeaders,
  AppError,
  appLocation,
  ByteCollector,
  Cancellation,
  type CancellationSignal,
  currentContext,
  isAppHeader,
  isFromProgram,
  isHopByHop,
  ConcurrencyLimit,
  REDIRECT_HOST_HEADER,
  SERVICE_HEADERS,
  withinTime,
  clientBucket,
  BodyReceiver,
} from '@platform/platform';
import type { Request, Response } from 'express';
import { Pool, type Dispatcher } from 'undici';
import { AnswersToRead } from '../answers/answers-to-read.js';
import { CONFIG, type Config } from '../config.js';
import { ExtensionHostErrors } from './extension-host.errors.js';

/**
 * Concurrency limits of requests to the host. Each request keeps a connection until it is answered.
 */
const PLACES = {
  slots: 256,
  maxSlots: 1_024,
  perApp: 128,
  perRequester: 64,
  waitMs: 4_000,
  waiting: 1_000,
  maxWaiting: 2_000,
  anyAppMayBeNamed: true,
};
/** Twice the largest answer that the host accepts from an app. */
const MAX_ANSWER_BYTES = 2 * 1024 * 1024;
/**
 * Less than the 65 s after which the host closes an idle connection, so that no request uses a
 * closing connection.
 */
const KEEP_ALIVE_MS = 30_000;

/**
 * Path segments that no component resolves to another path: no dot segments, and no encoded
 * characters.
 */
const PATH = /^\/v1\/ext(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)+\/?$/;
const APP = /^\/v1\/ext\/([^/]+)/;

/** Headers that only the panel and its browsers, or only services, may send to each other. */
const NOT_FOR_EXTENSIONS: ReadonlySet<string> = new Set(['cookie', ...SERVICE_HEADERS]);
/** Headers that this proxy sets itself or has already handled. */
const SAID_BY_THE_PANEL = new Set(['content-length', 'x-forwarded-for', 'x-forwarded-proto', 'x-request-id', 'expect']);

interface Answer {
  status: number;
  headers: Map<string, string>;
  body: Buffer;
}

/**
 * Forwards webhook requests to the host, and its answers back. Each message is read completely
 * first, and sent again from its parsed form. A slow request body uses memory from its sender's
 * share and no connection to the host; so does an answer that the client reads slowly.
 */
@Injectable()
export class WebhookProxyClient implements OnApplicationShutdown {
  private readonly basePath: string;
  private readonly host: Pool;
  private readonly timeoutMs: number;
  private readonly publicUrl: string;
  private readonly bodies = new BodyReceiver();
  private readonly places = new ConcurrencyLimit(PLACES, ExtensionHostErrors.tooMany);
  private readonly answers = new AnswersToRead();

  constructor(@Inject(CONFIG) { EXT_WEBHOOK_HOST_URL, EXT_WEBHOOK_HOST_TIMEOUT_MS, PUBLIC_URL }: Config) {
    this.publicUrl = PUBLIC_URL;
    const { origin, pathname } = new URL(EXT_WEBHOOK_HOST_URL);
    this.basePath = pathname.replace(/\/$/, '');
    this.timeoutMs = EXT_WEBHOOK_HOST_TIMEOUT_MS;
    this.host = new Pool(origin, {
      connections: PLACES.maxSlots,
      pipelining: 1, // no request waits behind another one on its connection, and no answer can be mixed up with another
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
      headersTimeout: 0, // `exchange` has its own time limit for the whole exchange
      bodyTimeout: 0,
    });
  }

  /**
   * Forwards a request to the host and sends its answer, whatever the status.
   *
   * @throws AppError 404 `not_found` if no app can have the path; 400, 408, 413 or 503 if the body
   * breaks off, is too slow, is too large, or too many are sent at once; 502
   * `extension_host_unreachable`; 503 `webhook.busy` if too many requests are running; 504
   * `extension_host_timeout` if the host does not answer in time.
   */
  async forward(request: Request, response: Response): Promise<void> {
    if (!PATH.test(request.path)) throw ExtensionHostErrors.notFound();
    const gone = new Cancellation();
    response.once('close', () => {
      if (!response.writableFinished) gone.abort();
    });
    const [app, sender] = [APP.exec(request.path)?.[1] ?? '', clientBucket(request.ip)];
    const answer = await this.bodies.withBody({ app, sender }, request, (body) =>
      this.places.runInSlot({ app, from: sender }, () => this.exchange(request, body, gone), gone),
    );
    for (const name of response.getHeaderNames()) if (name !== 'x-request-id') response.removeHeader(name);
    response.setHeaders(answer.headers);
    response.writeHead(answer.status);
    this.answers.write(sender, response, answer.body);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.host.destroy();
  }

  /**
   * Returns the headers of the answer to the client: those of the app that are allowed here (the
   * host may allow more), and those that every answer of an app gets. Keeps a `Location` only if it
   * leads to the panel, or by https to the host that the app declares for it.
   */
  private answerHeaders(
    request: Request,
    status: number,
    headers: Dispatcher.ResponseData['headers'],
  ): Map<string, string> {
    const kept = new Map(Object.entries(APP_ANSWER_HEADERS));
    const only = (name: string): string | undefined => (typeof headers[name] === 'string' ? headers[name] : undefined);
    const toProgram = isFromProgram(request.method, request.headers);
    for (const [name, value] of Object.entries(headers))
      if (value !== undefined && isAppHeader(name, toProgram)) kept.set(name, value.toString());
    const [type, length, location] = [only('content-type'), only('content-length'), only('location')];
    const content = appContentHeaders(type ?? '', only('content-disposition'));
    if (![204, 205, 304].includes(status)) for (const [name, value] of Object.entries(content)) kept.set(name, value);
    if (length !== undefined) kept.set('content-length', length);
    if (location !== undefined) {
      const declared = only(REDIRECT_HOST_HEADER);
      const href = appLocation(location, `${this.publicUrl}${request.path}`, declared === undefined ? [] : [declared]);
      if (href) kept.set('location', href);
    }
    return kept;
  }

  /**
   * Sends the request to the host and reads the complete answer.
   *
   * @throws AppError 502 `extension_host_unreachable` if no complete answer of at most 2 MiB
   * arrives, 504 `extension_host_timeout` if it takes too long; the abort reason if the client is
   * gone.
   */
  private async exchange(request: Request, sent: Buffer, gone: CancellationSignal): Promise<Answer> {
    try {
      return await withinTime(
        { ms: this.timeoutMs, timeout: ExtensionHostErrors.tooSlow, signal: gone },
        async (signal) => {
          const { statusCode, headers, body } = await this.host.request({
            method: request.method,
            path: `${this.basePath}${request.originalUrl}`,
            headers: requestHeaders(request),
            body: hasBody(request) ? sent : null,
            signal,
          });
          return {
            status: statusCode,
            headers: this.answerHeaders(request, statusCode, headers),
            body: await received(body),
          };
        },
      );
    } catch (error) {
      throw error instanceof AppError || gone.aborted ? error : ExtensionHostErrors.unreachable(error);
    }
  }
}

/**
 * Reads the answer of the host.
 *
 * @throws Error if it is larger than 2 MiB, or the error of the connection if it breaks off.
 */
async function received(body: Dispatcher.ResponseData['body']): Promise<Buffer> {
  const collected = new ByteCollector();
  for await (const piece of body as AsyncIterable<Buffer>) {
    if (collected.length + piece.length > MAX_ANSWER_BYTES)
      throw new Error(`The answer of the host is larger than ${MAX_ANSWER_BYTES} bytes.`);
    collected.add(piece);
  }
  return collected.flush();
}

/** True if the request announced a body, even an empty one. */
function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || headers['content-length'] !== undefined;
}

/**
 * Headers of the request to the host as names and values in turn, in their original order and
 * spelling, including repeated headers. Leaves out cookies, headers that only services may send,
 * and headers of the connection; adds those that this proxy sets itself.
 */
function requestHeaders(request: Request): string[] {
  const { rawHeaders, headers } = request;
  const kept: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name, value] = [rawHeaders[at] as string, rawHeaders[at + 1] as string];
    const known = name.toLowerCase();
    if (NOT_FOR_EXTENSIONS.has(known) || SAID_BY_THE_PANEL.has(known) || isHopByHop(known, headers.connection))
      continue;
    kept.push(name, value);
  }
  const requestId = currentContext()?.requestId;
  kept.push('X-Forwarded-Proto', request.protocol, 'X-Forwarded-For', request.ip ?? 'unknown');
  if (requestId) kept.push('X-Request-Id', requestId);
  return kept;
}
