import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import {
  APP_ANSWER_HEADERS,
  appContentHeaders,
  AppError,
  appLocation,
  BodyErrors,
  currentContext,
  isAppHeader,
  isFromProgram,
  isHopByHop,
  REDIRECT_HOST_HEADER,
  SERVICE_HEADERS,
} from '@platform/platform';
import type { Request, Response } from 'express';
import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Pool, type Dispatcher } from 'undici';
import { CONFIG, type Config } from '../config.js';
import { ExtensionHostErrors } from './extension-host.errors.js';

const MAX_CONNECTIONS = 256;
/** Below the 65 s after which the host ends an idle connection, so that none is used that is about to close. */
const KEEP_ALIVE_MS = 30_000;

/** Segments that nothing on the way resolves to another path: no dots alone, and no encoded ones. */
const PATH = /^\/v1\/ext(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)+\/?$/;

/** What the panel and its browsers know each other by, and what only services may say to each other. */
const NOT_FOR_EXTENSIONS: ReadonlySet<string> = new Set(['cookie', ...SERVICE_HEADERS]);
/** Said anew by this proxy, or settled by it already. */
const SAID_BY_THE_PANEL = new Set(['content-length', 'x-forwarded-for', 'x-forwarded-proto', 'x-request-id', 'expect']);
/** Passes requests on to the host of extensions and its answers back as they come. Each is framed anew, from what was parsed of it. */
@Injectable()
export class ExtensionHost implements OnApplicationShutdown {
  private readonly basePath: string;
  private readonly host: Pool;
  private readonly timeoutMs: number;
  private readonly publicUrl: string;

  constructor(@Inject(CONFIG) { EXT_WEBHOOK_HOST_URL, EXT_WEBHOOK_HOST_TIMEOUT_MS, PUBLIC_URL }: Config) {
    this.publicUrl = PUBLIC_URL;
    const { origin, pathname } = new URL(EXT_WEBHOOK_HOST_URL);
    this.basePath = pathname.replace(/\/$/, '');
    this.timeoutMs = EXT_WEBHOOK_HOST_TIMEOUT_MS;
    this.host = new Pool(origin, {
      connections: MAX_CONNECTIONS,
      pipelining: 1, // no request waits behind another on a connection, and none is answered by the answer of another
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
      headersTimeout: 0, // `send` has a time limit of its own, from the first byte on
      bodyTimeout: this.timeoutMs,
    });
  }

  /** @throws AppError 404 for a path that no app can have, 502 when the host is away, 504 when it does not answer in time. */
  async forward(request: Request, response: Response): Promise<void> {
    if (!PATH.test(request.path)) throw ExtensionHostErrors.notFound();
    const { statusCode, headers, body } = await this.send(request, response);
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

  private async send(request: Request, response: Response): Promise<Dispatcher.ResponseData> {
    const gone = new AbortController();
    response.once('close', () => {
      if (!response.writableFinished) gone.abort();
    });
    const patience = setTimeout(() => gone.abort(ExtensionHostErrors.tooSlow()), this.timeoutMs);
    try {
      return await this.host.request({
        method: request.method,
        path: `${this.basePath}${request.originalUrl}`,
        headers: requestHeaders(request),
        body: bodyOf(request),
        signal: gone.signal,
      });
    } catch (error) {
      const reason: unknown = error instanceof AppError ? error : gone.signal.reason;
      throw reason instanceof AppError ? reason : ExtensionHostErrors.unreachable(error);
    } finally {
      clearTimeout(patience);
    }
  }
}

/**
 * The bytes of the body as they were parsed, or null where there is none. What the host does not take any more is still read, so that the
 * sender gets to the answer; a body that breaks off fails, and the request with it.
 *
 * @throws AppError 400 when it has broken off already.
 */
function bodyOf(request: Request): Readable | null {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers;
  if (encoding === undefined && Number(length) === 0) return null;
  if (request.destroyed) throw BodyErrors.brokenOff();
  const body = new PassThrough();
  const breakOff = (): void => void body.destroy(new Error('The request did not arrive whole.'));
  request.once('error', breakOff);
  request.once('close', () => {
    if (!request.complete) breakOff();
  });
  body.once('close', () => request.unpipe(body).resume());
  return request.pipe(body);
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
  // Of a body that came in chunks nobody knows it: it goes on in chunks.
  const length = headers['content-length'];
  if (length !== undefined) kept.push('Content-Length', length);
  const requestId = currentContext()?.requestId;
  kept.push('X-Forwarded-Proto', request.protocol);
  if (request.ip) kept.push('X-Forwarded-For', request.ip);
  if (requestId) kept.push('X-Request-Id', requestId);
  return kept;
}
