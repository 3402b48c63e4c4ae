import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { currentContext, isHopByHop } from '@platform/platform';
import type { Request, Response } from 'express';
import { Agent as HttpAgent, request as requestHttp, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { pipeline } from 'node:stream/promises';
import { CONFIG, type Config } from '../config.js';
import { ExtensionHostErrors } from './extension-host.errors.js';

const MAX_CONNECTIONS = 256;

/** Segments that nothing on the way resolves to another path: no dots alone, and no encoded ones. */
const PATH = /^\/v1\/ext(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)+\/?$/;

/** What the panel and its browsers know each other by, and what only services may say to each other. */
const NOT_FOR_EXTENSIONS = new Set(['cookie', 'x-service-token', 'x-acting-user']);
/** Said anew by this proxy, or settled by it already. */
const SAID_BY_THE_PANEL = new Set(['x-forwarded-for', 'x-forwarded-proto', 'x-request-id', 'expect']);
/** The origin is the panel's: only the panel sets cookies on it. */
const NOT_FROM_EXTENSIONS = new Set(['set-cookie', 'set-cookie2', 'x-request-id']);

/** Passes requests on to the host of extensions and its answers back, both to the byte and as they come. */
@Injectable()
export class ExtensionHost implements OnApplicationShutdown {
  private readonly target: URL;
  private readonly agent: HttpAgent;
  private readonly timeoutMs: number;

  constructor(@Inject(CONFIG) { EXT_WEBHOOK_HOST_URL, EXT_WEBHOOK_HOST_TIMEOUT_MS }: Config) {
    this.target = new URL(EXT_WEBHOOK_HOST_URL);
    this.timeoutMs = EXT_WEBHOOK_HOST_TIMEOUT_MS;
    const options = { keepAlive: true, maxSockets: MAX_CONNECTIONS };
    this.agent = this.target.protocol === 'https:' ? new HttpsAgent(options) : new HttpAgent(options);
  }

  /** @throws AppError 404 for a path that no app can have, 502 when the host is away, 504 when it does not answer in time. */
  async forward(request: Request, response: Response): Promise<void> {
    if (!PATH.test(request.path)) throw ExtensionHostErrors.notFound();
    const answer = await this.send(request, response);
    for (const name of response.getHeaderNames()) if (name !== 'x-request-id') response.removeHeader(name);
    const connection = answer.headers.connection;
    for (const [name, values] of Object.entries(answer.headersDistinct)) {
      if (values && !NOT_FROM_EXTENSIONS.has(name) && !isHopByHop(name, connection)) response.setHeader(name, values);
    }
    response.writeHead(answer.statusCode ?? 502, answer.statusMessage);
    // Whoever is gone in the middle of an answer cannot be told.
    await pipeline(answer, response).catch(() => response.destroy());
  }

  onApplicationShutdown(): void {
    this.agent.destroy();
  }

  private send(request: Request, response: Response): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const { protocol, hostname, port, pathname } = this.target;
      const sent = (protocol === 'https:' ? requestHttps : requestHttp)({
        protocol,
        hostname: hostname.replace(/^\[|\]$/g, ''),
        port,
        method: request.method,
        path: `${pathname.replace(/\/$/, '')}${request.originalUrl}`,
        headers: requestHeaders(request),
        agent: this.agent,
      });
      const onTimeout = (): void => {
        reject(ExtensionHostErrors.tooSlow());
        sent.destroy();
      };
      const timeout = setTimeout(onTimeout, this.timeoutMs);
      sent.once('response', (answer) => {
        clearTimeout(timeout);
        resolve(answer);
      });
      sent.on('error', (error) => {
        clearTimeout(timeout);
        // Also after the answer has begun, as when the host refuses a body before it has read all of it: then nobody listens.
        reject(ExtensionHostErrors.unreachable(error));
      });
      // What the host does not take any more is still read, so that the sender gets to the answer.
      sent.once('close', () => request.unpipe(sent).resume());
      response.once('close', () => {
        clearTimeout(timeout);
        if (!response.writableFinished) sent.destroy();
      });
      request.pipe(sent);
    });
  }
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
  // Without its length a body must be framed, whatever the method: Node.js does so by itself for some only.
  if (headers['transfer-encoding'] !== undefined) kept.push('Transfer-Encoding', 'chunked');
  return kept;
}
