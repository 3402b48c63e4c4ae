import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { clientBucket, WebhookBodies } from '@platform/guards';
import {
  APP_ANSWER_HEADERS,
  appContentHeaders,
  AppError,
  appLocation,
  Cancellation,
  type CancellationSignal,
  currentContext,
  isAppHeader,
  isFromProgram,
  isHopByHop,
  Places,
  REDIRECT_HOST_HEADER,
  SERVICE_HEADERS,
  withinTime,
} from '@platform/platform';
import type { Request, Response } from 'express';
import { pipeline } from 'node:stream/promises';
import { Pool, type Dispatcher } from 'undici';
import { CONFIG, type Config } from '../config.js';
import { ExtensionHostErrors } from './extension-host.errors.js';

/** Of requests that the host works on at once. Each keeps a connection until it is answered. */
const PLACES = { slots: 256, most: 1_024, perApp: 128, perFrom: 64, waitMs: 4_000, waiting: 1_000, mostWaiting: 2_000, anyAppMayBeNamed: true };
/** Below the 65 s after which the host ends an idle connection, so that none is used that is about to close. */
const KEEP_ALIVE_MS = 30_000;

/** Segments that nothing on the way resolves to another path: no dots alone, and no encoded ones. */
const PATH = /^\/v1\/ext(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)+\/?$/;
const APP = /^\/v1\/ext\/([^/]+)/;

/** What the panel and its browsers know each other by, and what only services may say to each other. */
const NOT_FOR_EXTENSIONS: ReadonlySet<string> = new Set(['cookie', ...SERVICE_HEADERS]);
/** Said anew by this proxy, or settled by it already. */
const SAID_BY_THE_PANEL = new Set(['content-length', 'x-forwarded-for', 'x-forwarded-proto', 'x-request-id', 'expect']);

/**
 * Passes requests on to the host of extensions once they have come whole, and its answers back as they come. Each is framed anew, from what
 * was parsed of it. A body that comes slowly takes memory of its sender's share and no connection to the host.
 */
@Injectable()
export class ExtensionHost implements OnApplicationShutdown {
  private readonly basePath: string;
  private readonly host: Pool;
  private readonly timeoutMs: number;
  private readonly publicUrl: string;
  private readonly bodies = new WebhookBodies();
  private readonly places = new Places(PLACES, ExtensionHostErrors.tooMany);

  constructor(@Inject(CONFIG) { EXT_WEBHOOK_HOST_URL, EXT_WEBHOOK_HOST_TIMEOUT_MS, PUBLIC_URL }: Config) {
    this.publicUrl = PUBLIC_URL;
    const { origin, pathname } = new URL(EXT_WEBHOOK_HOST_URL);
    this.basePath = pathname.replace(/\/$/, '');
    this.timeoutMs = EXT_WEBHOOK_HOST_TIMEOUT_MS;
    this.host = new Pool(origin, {
      connections: PLACES.most,
      pipelining: 1, // no request waits behind another on a connection, and none is answered by the answer of another
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
      headersTimeout: 0, // `send` has a time limit of its own, from the first byte on
      bodyTimeout: this.timeoutMs,
    });
  }

  /**
   * @throws AppError 404 for a path that no app can have, 408, 413 or 503 for the body, 502 when the host is away, 503 when too much is under
   * way, 504 when the host does not answer in time.
   */
  async forward(request: Request, response: Response): Promise<void> {
    if (!PATH.test(request.path)) throw ExtensionHostErrors.notFound();
    const gone = new Cancellation();
    response.once('close', () => {
      if (!response.writableFinished) gone.abort();
    });
    const [app, sender] = [APP.exec(request.path)?.[1] ?? '', clientBucket(request.ip)];
    await this.bodies.with({ app, sender }, request, (body) =>
      this.places.with({ app, from: sender }, () => this.exchange(request, body, response, gone), gone),
    );
  }

  private async exchange(request: Request, sent: Buffer, response: Response, gone: CancellationSignal): Promise<void> {
    const { statusCode, headers, body } = await this.send(request, sent, gone);
    for (const name of response.getHeaderNames()) if (name !== 'x-request-id') response.removeHeader(name);
    response.setHeaders(this.answerHeaders(request, statusCode, headers));
    response.writeHead(statusCode);
    // Whoever is gone in the middle of an answer cannot be told.
    await pipeline(body, response).catch(() => response.destroy());
  }

  async onApplicationShutdown(): Promise<void> {
    await this.host.destroy();
  }

  /** What an app may say here, whatever the host lets through, and what is said of every answer of an app. */
  private answerHeaders(request: Request, status: number, headers: Dispatcher.ResponseData['headers']): Map<string, string> {
    const kept = new Map(Object.entries(APP_ANSWER_HEADERS));
    const only = (name: string): string | undefined => (typeof headers[name] === 'string' ? headers[name] : undefined);
    for (const [name, value] of Object.entries(headers)) if (value !== undefined && isAppHeader(name)) kept.set(name, value.toString());
    const [type, length, location] = [only('content-type'), only('content-length'), only('location')];
    const content = appContentHeaders(type ?? '', isFromProgram(request.method, request.headers));
    if (![204, 205, 304].includes(status)) for (const [name, value] of Object.entries(content)) kept.set(name, value);
    if (length !== undefined) kept.set('content-length', length);
    if (location !== undefined) {
      const declared = only(REDIRECT_HOST_HEADER);
      const href = appLocation(location, `${this.publicUrl}${request.path}`, declared === undefined ? [] : [declared]);
      if (href) kept.set('location', href);
    }
    return kept;
  }

  private async send(request: Request, sent: Buffer, gone: CancellationSignal): Promise<Dispatcher.ResponseData> {
    try {
      return await withinTime({ ms: this.timeoutMs, timeout: ExtensionHostErrors.tooSlow, signal: gone }, (signal) =>
        this.host.request({
          method: request.method,
          path: `${this.basePath}${request.originalUrl}`,
          headers: requestHeaders(request),
          body: hasBody(request) ? sent : null,
          signal,
        }),
      );
    } catch (error) {
      throw error instanceof AppError ? error : ExtensionHostErrors.unreachable(error);
    }
  }
}

/** Whether a body was announced, however short: the host is told of no other. */
function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || headers['content-length'] !== undefined;
}

/** Names and values in turn, written as they came and as often. */
function requestHeaders(request: Request): string[] {
  const { rawHeaders, headers } = request;
  const kept: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name, value] = [rawHeaders[at] as string, rawHeaders[at + 1] as string];
    const known = name.toLowerCase();
    if (NOT_FOR_EXTENSIONS.has(known) || SAID_BY_THE_PANEL.has(known) || isHopByHop(known, headers.connection)) continue;
    kept.push(name, value);
  }
  const requestId = currentContext()?.requestId;
  kept.push('X-Forwarded-Proto', request.protocol);
  if (request.ip) kept.push('X-Forwarded-For', request.ip);
  if (requestId) kept.push('X-Request-Id', requestId);
  return kept;
}
