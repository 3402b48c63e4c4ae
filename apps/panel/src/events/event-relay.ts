import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { Errors } from '@platform/platform';
import type { Response as BrowserResponse } from 'express';
import { once } from 'node:events';
import { Gauge, Registry } from 'prom-client';
import { CONFIG, type Config } from '../config.js';
import { PanelGatewayClient } from '../gateway/panel-gateway.client.js';
import { relay } from '../gateway/relay.js';
import type { Visitor } from '../gateway/visitor.js';
import type { StoredSession } from '../sessions/session-store.js';
import { PanelSessionsService } from '../sessions/panel-sessions.service.js';
import { EventErrors } from './events.errors.js';

/**
 * Most streams of one session at this process. A browser opens six connections to a server over
 * HTTP/1.1, and needs some for other requests.
 */
export const MOST_OF_A_SESSION = 4;
const DRAIN_MS = 5_000;

/**
 * First parts of the event types that change data on pages. Other events of the user are not passed
 * on.
 */
export const SOURCE_TYPES = ['api_key', 'billing', 'notification', 'payout', 'session', 'wallet'];

export interface Following {
  session: StoredSession;
  visitor: Visitor;
  /** Id of the last event that the page received. */
  lastEventId: string | undefined;
}

/**
 * Passes the gateway's event stream on to pages, and its refusals unchanged. The stream ends when
 * the gateway ends it, for example when the access token expires. The page then reconnects, and
 * this server uses a new token.
 */
@Injectable()
export class EventRelay implements BeforeApplicationShutdown {
  private readonly open = new Set<AbortController>();
  /** Open streams by session key, as hex. */
  private readonly ofSessions = new Map<string, number>();
  private isStopping = false;

  constructor(
    private readonly sessions: PanelSessionsService,
    private readonly gateway: PanelGatewayClient,
    @Inject(CONFIG) private readonly config: Config,
    metrics: Registry,
  ) {
    const { open } = this;
    new Gauge({
      name: 'panel_event_streams_open',
      help: 'Pages that follow events',
      registers: [metrics],
      collect() {
        this.set(open.size);
      },
    });
  }

  /**
   * Closes all streams, since the server waits for its connections. The pages reconnect to another
   * process.
   */
  beforeApplicationShutdown(): void {
    this.isStopping = true;
    for (const controller of this.open) controller.abort();
  }

  /**
   * Passes the event stream of the session's user on until it ends, or the gateway's refusal.
   * Returns without an error if the page disconnects or this process stops.
   *
   * @throws AppError 400 `malformed_request` for a request queued behind another one on its
   * connection; 401 `not_signed_in` if the session has ended; 429 `stream.too_many` if four windows
   * of the session follow events at this process already, 503 if too many of all sessions do; 503
   * `gateway_unavailable` if the gateway cannot answer.
   */
  async follow(following: Following, response: BrowserResponse): Promise<void> {
    // Queued behind another answer on its connection: Node.js would not report that the browser has
    // gone.
    if (!response.socket && !response.closed) throw Errors.malformedRequest();
    if (isGone(response)) return;
    const key = following.session.key.toString('hex');
    this.admit(key);
    const controller = new AbortController();
    this.open.add(controller);
    response.once('close', () => controller.abort());
    try {
      await this.pass(following, response, controller.signal);
    } catch (error) {
      // The page, the gateway's answer or this process has ended. A page that is still open
      // reconnects.
      if (!response.headersSent && !isGone(response) && !this.isStopping) throw error;
    } finally {
      controller.abort();
      this.open.delete(controller);
      this.forget(key);
    }
    if (isGone(response)) return;
    // The answer ends normally, so that the browser sees no error.
    if (!response.headersSent) begin(response);
    response.end();
  }

  private async pass(
    { session, visitor, lastEventId }: Following,
    response: BrowserResponse,
    signal: AbortSignal,
  ): Promise<void> {
    if (this.isStopping) return;
    const path = `/v1/events/stream?source_types=${SOURCE_TYPES.join()}`;
    const answer = await this.sessions.withToken(session, visitor, (accessToken) =>
      this.gateway.stream(visitor, { path, lastEventId }, accessToken, signal),
    );
    if (!(answer instanceof Response)) {
      relay(answer, response);
      return;
    }
    begin(response);
    if (answer.body) await passOn(answer.body, response, signal);
  }

  private admit(key: string): void {
    if (this.open.size >= this.config.EVENT_STREAMS) throw EventErrors.tooMany();
    const streams = (this.ofSessions.get(key) ?? 0) + 1;
    if (streams > MOST_OF_A_SESSION) throw EventErrors.tooManyOfSession(MOST_OF_A_SESSION);
    this.ofSessions.set(key, streams);
  }

  private forget(key: string): void {
    const left = (this.ofSessions.get(key) ?? 1) - 1;
    if (left) this.ofSessions.set(key, left);
    else this.ofSessions.delete(key);
  }
}

/** True if the page has disconnected. A function, since the value can change during each wait. */
const isGone = (response: BrowserResponse): boolean => response.destroyed;

function begin(response: BrowserResponse): void {
  response.status(200);
  response.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
  response.setHeader('Cache-Control', 'no-store, no-transform');
  response.setHeader('X-Accel-Buffering', 'no');
  response.flushHeaders();
}

/**
 * Passes the stream on at the speed of the page. A page that reads nothing for 5 s is disconnected,
 * so that its slot is free for others.
 */
async function passOn(body: ReadableStream<Uint8Array>, response: BrowserResponse, signal: AbortSignal): Promise<void> {
  for await (const chunk of body) {
    if (response.write(chunk)) continue;
    const timer = setTimeout(() => response.destroy(), DRAIN_MS);
    await once(response, 'drain', { signal }).finally(() => clearTimeout(timer));
  }
}
