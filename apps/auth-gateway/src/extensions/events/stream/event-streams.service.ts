import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { BroadcastService } from '@platform/messaging';
import { Errors, LOGGER } from '@platform/platform';
import type { Response } from 'express';
import pLimit from 'p-limit';
import type { Logger } from 'pino';
import { Counter, Gauge, Registry } from 'prom-client';
import { setTimeout as delay } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { SESSION_ENDED, TENANT_CHANGED, USER_CHANGED } from '../../../identity/sessions/signed-in-users.service.js';
import { CONFIG, type Config } from '../../../config.js';
import { EventCursorService } from './event-cursor.service.js';
import { StreamErrors } from './stream.errors.js';
import { StreamConnection, type EndReason, type StreamAudience } from './stream-connection.js';
import { StreamCredentialsService, type StreamCredential } from './stream-credentials.service.js';
import { canResume, readHistory } from './stream-events.js';

export const MAX_STREAMS_PER_USER = 20;
const BEAT_SECONDS = 15;
/**
 * Average lifetime of a stream. Clients then reconnect, which spreads the connections over all
 * processes.
 */
const LONGEST_SECONDS = 600;
const CHECK_EVERY_SECONDS = 2;
/** Most statements that read missed events at the same time. */
const HISTORIES_AT_ONCE = 4;
/** Most time that a stopping process takes to end its streams. */
const LONGEST_GOODBYE_MS = 5_000;
const GOODBYE_STEPS = 100;

export interface StreamRequest {
  audience: StreamAudience;
  credential: StreamCredential;
  /** Seconds since 1970; null if the credential does not expire. */
  expiresAt: number | null;
  /**
   * Position of the last event that the client received; null for a new client. After an
   * invalid position, the stream sends `stream.reset` and starts from now.
   */
  lastEventId: string | null;
}

interface OpenStream {
  connection: StreamConnection;
  credential: StreamCredential;
  endsAt: number;
  endsBy: EndReason;
  beatsAt: number;
}

/** Event streams of this process. */
@Injectable()
export class EventStreamsService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly open = new Set<OpenStream>();
  private readonly ofUsers = new Map<string, number>();
  private readonly inTurn = pLimit(HISTORIES_AT_ONCE);
  private isStopping = false;
  private timer: NodeJS.Timeout | undefined;
  private checksAt = 0;
  private checking: Promise<void> | undefined;
  private readonly cut: Counter;

  constructor(
    private readonly cursor: EventCursorService,
    private readonly credentials: StreamCredentialsService,
    private readonly dataSource: DataSource,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
    broadcast: BroadcastService,
    metrics: Registry,
  ) {
    broadcast.subscribe(SESSION_ENDED, (id) =>
      this.endWhere('session_ended', ({ credential }) => credential.sessionId === id),
    );
    broadcast.subscribe(
      USER_CHANGED,
      (id) => void this.endInvalidStreams(({ credential }) => credential.userId === id),
    );
    broadcast.subscribe(
      TENANT_CHANGED,
      (id) => void this.endInvalidStreams(({ connection }) => connection.tenantId === id),
    );
    this.cut = new Counter({
      name: 'event_streams_cut_total',
      help: 'Clients that were too slow',
      registers: [metrics],
    });
    const { open } = this;
    new Gauge({
      name: 'event_streams_open',
      help: 'Clients that follow events',
      registers: [metrics],
      collect() {
        this.set(open.size);
      },
    });
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.endOrBeatDueStreams(), 1_000).unref();
  }

  /**
   * Begins to end all streams, over a few seconds. Nothing needs to wait for this: the server waits
   * for its connections.
   */
  beforeApplicationShutdown(): void {
    this.isStopping = true;
    clearInterval(this.timer);
    void this.endAllSlowly();
  }

  /** Numbers of clients, and of users and tenants that they follow, in this process. */
  countClients(): { channels: number; clients: number } {
    return { channels: this.cursor.audiences, clients: this.open.size };
  }

  /**
   * Answers with events until the client disconnects or leaves 256 KiB unread, its credential
   * becomes invalid, it has followed them for about ten minutes, or the process stops. First sends
   * the events after `lastEventId`, or `stream.reset` if that is no position, or if some of them
   * are no longer available (`canResume`). If the events cannot be read, the connection is closed.
   *
   * @throws AppError 429 `stream.too_many` if the user has 20 streams in this process, or the
   * process has `EVENT_STREAMS` streams; 400 `malformed_request` for a pipelined request whose
   * connection still serves another one.
   */
  async follow(response: Response, { audience, credential, expiresAt, lastEventId }: StreamRequest): Promise<void> {
    // A pipelined request: while another answer uses the connection, Node.js does not report that
    // the client disconnects.
    if (!response.socket && !response.closed) throw Errors.malformedRequest();
    // An `EventSource` does not reconnect after an error answer, but does after a lost connection.
    if (this.isStopping) response.destroy();
    if (response.closed || response.destroyed) return;
    this.admit(credential.userId);
    const now = Date.now() / 1_000;
    const longest = now + LONGEST_SECONDS * (0.8 + Math.random() * 0.4);
    const connection = new StreamConnection(response, audience, () => this.cut.inc());
    const stream: OpenStream = {
      connection,
      credential,
      endsAt: Math.min(longest, expiresAt ?? Infinity),
      endsBy: expiresAt !== null && expiresAt < longest ? 'token_expired' : 'time_is_up',
      beatsAt: now + BEAT_SECONDS * (0.5 + Math.random() / 2),
    };
    this.open.add(stream);
    response.once('close', () => this.removeStream(stream));
    try {
      let position = await this.cursor.addFollower(connection);
      if (!connection.isOpen()) return;
      connection.sendHead();
      await this.catchUp(connection, lastEventId, position);
      while (connection.isOpen() && connection.consumeDropped()) {
        const from = position;
        position = (await this.cursor.getPosition()) ?? position;
        await this.sendHistory(connection, from, position);
      }
      if (connection.isOpen()) connection.goLive(position);
    } catch (error) {
      this.logger.warn({ err: error }, 'a client cannot follow events');
      response.destroy();
    }
  }

  private admit(userId: string | undefined): void {
    if (this.open.size >= this.config.EVENT_STREAMS) throw StreamErrors.tooMany();
    if (userId === undefined) return;
    const streams = (this.ofUsers.get(userId) ?? 0) + 1;
    if (streams > MAX_STREAMS_PER_USER) throw StreamErrors.tooManyOfUser(MAX_STREAMS_PER_USER);
    this.ofUsers.set(userId, streams);
  }

  private removeStream(stream: OpenStream): void {
    const { connection, credential } = stream;
    this.open.delete(stream);
    this.cursor.removeFollower(connection);
    const { userId } = credential;
    if (userId === undefined) return;
    const left = (this.ofUsers.get(userId) ?? 1) - 1;
    if (left) this.ofUsers.set(userId, left);
    else this.ofUsers.delete(userId);
  }

  /** Sends the events that the client missed, or tells it that some are no longer available. */
  private async catchUp(connection: StreamConnection, lastEventId: string | null, position: number): Promise<void> {
    if (lastEventId === null) return;
    const begun = positionOf(lastEventId);
    if (
      begun === null ||
      !(await this.inTurn(async () => connection.isOpen() && (await canResume(this.dataSource, begun, position))))
    ) {
      connection.sendControlEvent('stream.reset');
      return;
    }
    connection.resumeAfter(begun);
    await this.sendHistory(connection, begun, position);
  }

  private async sendHistory(connection: StreamConnection, from: number, upTo: number): Promise<void> {
    const { tenantId, userId } = connection;
    for (let after = from; after < upTo;) {
      const stretch = { tenantId, userId, after, upTo };
      const page = await this.inTurn(async () => (connection.isOpen() ? readHistory(this.dataSource, stretch) : null));
      if (!page) return;
      for (const event of page.events) {
        connection.deliverHistoryEvent(event);
        await connection.waitForDrain();
      }
      after = page.upTo;
    }
  }

  /**
   * Ends the streams one after the other, so that the clients do not all reconnect to the next
   * process at once.
   */
  private async endAllSlowly(): Promise<void> {
    const streams = [...this.open];
    const goodbye = Math.min(LONGEST_GOODBYE_MS, (this.config.SHUTDOWN_TIMEOUT_SECONDS * 1_000) / 2);
    for (const [at, stream] of streams.entries()) {
      if (at && at % Math.ceil(streams.length / GOODBYE_STEPS) === 0) await delay(goodbye / GOODBYE_STEPS);
      stream.connection.endStream('shutting_down');
    }
  }

  private endOrBeatDueStreams(): void {
    const now = Date.now() / 1_000;
    const reached = this.cursor.getPosition();
    const due: OpenStream[] = [];
    for (const stream of this.open) {
      if (now >= stream.endsAt) stream.connection.endStream(stream.endsBy);
      else if (now >= stream.beatsAt) due.push(stream);
    }
    for (const stream of due) stream.beatsAt = now + BEAT_SECONDS;
    if (due.length) void sendHeartbeats(due, reached);
    if (now < this.checksAt || this.checking) return;
    this.checksAt = now + CHECK_EVERY_SECONDS;
    this.checking = this.endInvalidStreams(() => true).finally(() => (this.checking = undefined));
  }

  private async endInvalidStreams(isMeant: (stream: OpenStream) => boolean): Promise<void> {
    const meant = [...this.open].filter(isMeant);
    const ended = await this.credentials.findInvalid(meant).catch((error: unknown) => {
      // An unavailable database is no reason to end streams.
      this.logger.warn({ err: error }, 'cannot check the credentials of event streams; the streams stay open');
      return [];
    });
    for (const { connection } of ended) connection.endStream('session_ended');
  }

  private endWhere(reason: EndReason, isMeant: (stream: OpenStream) => boolean): void {
    for (const stream of this.open) if (isMeant(stream)) stream.connection.endStream(reason);
  }
}

async function sendHeartbeats(streams: readonly OpenStream[], reached: Promise<number> | undefined): Promise<void> {
  const position = (await reached?.catch(() => null)) ?? null;
  for (const { connection } of streams) connection.sendHeartbeat(position);
}

/** Returns the position in a `Last-Event-ID`; null if the text is not a position. */
const positionOf = (lastEventId: string): number | null =>
  /^\d{1,15}$/.test(lastEventId) ? Number(lastEventId) : null;
