import { hasScope } from '@platform/guards';
import type { Response } from 'express';
import type { Follower } from './event-cursor.service.js';
import type { StreamEvent } from './stream-events.js';

/**
 * A client with more unread bytes than this is disconnected. It reconnects, and continues after its
 * last event.
 */
const MOST_UNSENT_BYTES = 256 * 1024;

const DRAIN_MS = 5_000;
const END_MS = 2_000;
const SHORTEST_RETRY_MS = 2_000;
const RETRY_SPREAD_MS = 6_000;

/** Reason why a stream ends, in its last event. */
export type EndReason = 'token_expired' | 'session_ended' | 'time_is_up' | 'shutting_down';

/** Selects the events that a client follows. */
export interface StreamAudience {
  tenantId: string;
  /** Null: all users in the tenant. */
  userId: string | null;
  /** Null: all of them. */
  sourceTypes: ReadonlySet<string> | null;
  /** Scopes of the API key; null without one. */
  keyScopes: readonly string[] | null;
}

/** A client that follows events. */
export class StreamConnection implements Follower {
  /** Live events that wait until earlier events are sent; null after that. */
  private waiting: StreamEvent[] | null = [];
  private waitingBytes = 0;
  /** Position up to which all events for this client were sent. */
  private sentUpTo = 0;
  private hasBegun = false;
  private isSuspect = false;
  private hasDropped = false;

  /** @param onCut called when the client was too slow. */
  constructor(
    private readonly response: Response,
    private readonly audience: StreamAudience,
    private readonly onCut: () => void,
  ) {}

  get tenantId(): string {
    return this.audience.tenantId;
  }

  get userId(): string | null {
    return this.audience.userId;
  }

  isOpen(): boolean {
    return !this.response.writableEnded && !this.response.destroyed;
  }

  /** Sends the head of the answer. Nothing can be written before it. */
  sendHead(): void {
    const { response } = this;
    this.hasBegun = true;
    response.status(200);
    response.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
    response.setHeader('Cache-Control', 'no-store, no-transform');
    response.setHeader('X-Accel-Buffering', 'no');
    response.flushHeaders();
    // Time that the client waits before it reconnects after a lost connection.
    this.write(`retry: ${SHORTEST_RETRY_MS + Math.floor(Math.random() * RETRY_SPREAD_MS)}\n\n`);
  }

  /**
   * Sends a live event that the client follows, or keeps it until earlier events are sent. If the
   * kept events are longer than 256 KiB, all of them are dropped; `consumeDropped` tells it.
   */
  deliver(event: StreamEvent): void {
    if (!this.isOpen() || !this.isFollowed(event)) return;
    if (!this.waiting) {
      this.send(event);
      return;
    }
    this.waiting.push(event);
    this.waitingBytes += event.frame.length;
    if (this.waitingBytes <= MOST_UNSENT_BYTES) return;
    this.waiting = [];
    this.waitingBytes = 0;
    this.hasDropped = true;
  }

  /** True if live events were dropped since the last call. They can be read from the history. */
  consumeDropped(): boolean {
    const { hasDropped } = this;
    this.hasDropped = false;
    return hasDropped;
  }

  /** Marks all events up to this position as received by the client: they are not sent again. */
  resumeAfter(position: number): void {
    this.sentUpTo = position;
  }

  /** Sends an event from before the client joined, if the client follows events of this kind. */
  deliverHistoryEvent(event: StreamEvent): void {
    if (this.isFollowed(event)) this.send(event);
  }

  /**
   * Sends the live events that were kept; later ones are sent at once. Call it when all events up
   * to `position` are sent.
   */
  goLive(position: number): void {
    const { waiting } = this;
    this.waiting = null;
    this.waitingBytes = 0;
    this.sendHeartbeat(position);
    for (const event of waiting ?? []) this.send(event);
  }

  /**
   * Resolves when the client has read everything that was sent, or has disconnected. A client that
   * reads nothing for 5 s is disconnected.
   */
  async waitForDrain(): Promise<void> {
    const { response } = this;
    if (!this.isOpen() || !response.writableNeedDrain) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => this.cut(), DRAIN_MS);
      const done = () => {
        clearTimeout(timer);
        response.off('drain', done).off('close', done);
        resolve();
      };
      response.on('drain', done).on('close', done);
    });
  }

  /**
   * Keeps the connection alive, and sets the position after which the client reconnects: a client
   * stores an `id` without data, but sees no event. With null, or before `goLive`, only keeps the
   * connection alive.
   */
  sendHeartbeat(position: number | null): void {
    if (position === null || this.waiting) {
      this.write(':\n\n');
      return;
    }
    this.sentUpTo = Math.max(this.sentUpTo, position);
    this.write(`:\nid: ${this.sentUpTo}\n\n`);
  }

  /** Sends an event about the stream itself. */
  sendControlEvent(type: string, payload: object = {}): void {
    this.write(`data: ${JSON.stringify({ type, payload, ts: new Date() })}\n\n`);
  }

  /**
   * Ends the stream: sends `stream.closed` with the reason, and closes the connection, after 2 s
   * even if the client reads nothing. A client that has not received the head of the answer just
   * loses its connection, and reconnects.
   */
  endStream(reason: EndReason): void {
    const { response } = this;
    if (!this.isOpen()) return;
    if (!this.hasBegun) {
      response.destroy();
      return;
    }
    this.sendControlEvent('stream.closed', { reason });
    // A client that reads nothing more would otherwise keep the connection open forever.
    const timer = setTimeout(() => response.destroy(), END_MS).unref();
    response.once('close', () => clearTimeout(timer));
    response.end();
  }

  private isFollowed({ sourceType, keyScope }: StreamEvent): boolean {
    const { sourceTypes, keyScopes } = this.audience;
    if (sourceTypes && !sourceTypes.has(sourceType)) return false;
    return keyScope === null || keyScopes === null || hasScope(keyScopes, keyScope);
  }

  private send(event: StreamEvent): void {
    if (event.position <= this.sentUpTo) return;
    this.sentUpTo = event.position;
    this.write(event.frame);
  }

  private write(chunk: Buffer | string): void {
    if (!this.hasBegun || !this.isOpen()) return;
    this.response.write(chunk);
    if (this.isTooSlow && !this.isSuspect) {
      this.isSuspect = true;
      // Node.js sends all writes of one turn together, after that turn.
      setImmediate(() => {
        this.isSuspect = false;
        if (this.isOpen() && this.isTooSlow) this.cut();
      });
    }
  }

  private get isTooSlow(): boolean {
    return this.response.writableLength > MOST_UNSENT_BYTES;
  }

  private cut(): void {
    if (!this.isOpen()) return;
    this.onCut();
    this.response.destroy();
  }
}
