import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { Errors } from '@platform/platform';
import type { Response as BrowserResponse } from 'express';
import { once } from 'node:events';
import { Gauge, Registry } from 'prom-client';
import { CONFIG, type Config } from '../config.js';
import { Gateway } from '../gateway/gateway.js';
import { relay } from '../gateway/relay.js';
import type { Visitor } from '../gateway/visitor.js';
import type { StoredSession } from '../sessions/session-store.js';
import { Sessions } from '../sessions/sessions.service.js';
import { EventErrors } from './events.errors.js';

/** At this process. A browser has six connections to a server that speaks HTTP/1.1: some have to be left for everything else. */
export const MOST_OF_A_SESSION = 4;
const DRAIN_MS = 5_000;

/** What pages show and events change: what they begin with. The rest of what happens to a user stays at the gateway. */
export const SOURCE_TYPES = ['api_key', 'billing', 'notification', 'payout', 'session', 'wallet'];

export interface Following {
  session: StoredSession;
  visitor: Visitor;
  /** Of the last event that the page had. */
  lastEventId: string | undefined;
}

/**
 * Passes the gateway's stream on to pages, and what the gateway refuses as it is. It ends as the gateway ends it, such as when the access token expires: the page
 * comes back by itself, and this server has a new token then.
 */
@Injectable()
export class EventRelay implements BeforeApplicationShutdown {
  private readonly open = new Set<AbortController>();
  /** By the keys of the sessions, as hex. */
  private readonly ofSessions = new Map<string, number>();
  private isStopping = false;

  constructor(
    private readonly sessions: Sessions,
    private readonly gateway: Gateway,
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

  /** Pages come back, to a process that goes on. The server waits for its connections. */
  beforeApplicationShutdown(): void {
    this.isStopping = true;
    for (const controller of this.open) controller.abort();
  }

  /** @throws AppError 400 for a request that was sent behind another one on its connection, 401 when the session has ended, 429 and 503 where there are as many streams as may be, 503 while the gateway cannot be reached. */
  async follow(following: Following, response: BrowserResponse): Promise<void> {
    // Behind another answer on its connection, where Node.js does not tell when the browser goes away.
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
      // The page, the gateway's answer or this process ends. A page that is still there comes back.
      if (!response.headersSent && !isGone(response) && !this.isStopping) throw error;
    } finally {
      controller.abort();
      this.open.delete(controller);
      this.forget(key);
    }
    if (isGone(response)) return;
    // By the end of a whole answer, so that the browser sees no error.
    if (!response.headersSent) begin(response);
    response.end();
  }

  private async pass({ session, visitor, lastEventId }: Following, response: BrowserResponse, signal: AbortSignal): Promise<void> {
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

/** Asked again after each wait. */
const isGone = (response: BrowserResponse): boolean => response.destroyed;

function begin(response: BrowserResponse): void {
  response.status(200);
  response.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
  response.setHeader('Cache-Control', 'no-store, no-transform');
  response.setHeader('X-Accel-Buffering', 'no');
  response.flushHeaders();
}

/** No faster than the page reads. A page that takes nothing for 5 s loses its connection, so that its place is free for others. */
async function passOn(body: ReadableStream<Uint8Array>, response: BrowserResponse, signal: AbortSignal): Promise<void> {
  for await (const chunk of body) {
    if (response.write(chunk)) continue;
    const timer = setTimeout(() => response.destroy(), DRAIN_MS);
    await once(response, 'drain', { signal }).finally(() => clearTimeout(timer));
  }
}
