import { hasScope } from '@platform/guards';
import type { Response } from 'express';
import type { Follower } from './event-cursor.js';
import type { StreamEvent } from './stream-events.js';

/** A client that has not taken this much of what was sent is cut off: it comes back, and goes on where it was. */
const MOST_UNSENT_BYTES = 256 * 1024;

const DRAIN_MS = 5_000;
const END_MS = 2_000;
const SHORTEST_RETRY_MS = 2_000;
const RETRY_SPREAD_MS = 6_000;

/** Why a stream ends, as its last event says it. */
export type EndReason = 'token_expired' | 'session_ended' | 'time_is_up' | 'shutting_down';

/** Whose events a client follows, and which of them. */
export interface StreamAudience {
  tenantId: string;
  /** Null: everybody in the tenant. */
  userId: string | null;
  /** Null: all of them. */
  sourceTypes: ReadonlySet<string> | null;
  /** What the API key was given; null without one. */
  keyScopes: readonly string[] | null;
}

/** One client that follows events. */
export class StreamConnection implements Follower {
  /** Live events that wait until what was before them is sent; null once that is done. */
  private waiting: StreamEvent[] | null = [];
  private waitingBytes = 0;
  /** All up to here were sent, or do not concern this client. */
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

  /** Sends the head of the answer: everything that happens from here on is told. Nothing is written before. */
  begin(): void {
    const { response } = this;
    this.hasBegun = true;
    response.status(200);
    response.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
    response.setHeader('Cache-Control', 'no-store, no-transform');
    response.setHeader('X-Accel-Buffering', 'no');
    response.flushHeaders();
    // The client waits this long before it comes back, when the connection is lost.
    this.write(`retry: ${SHORTEST_RETRY_MS + Math.floor(Math.random() * RETRY_SPREAD_MS)}\n\n`);
  }

  /** A live event. */
  deliver(event: StreamEvent): void {
    if (!this.isOpen() || !this.isFor(event)) return;
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

  /** Whether live events had to be left out since it was asked last: they are in the history. */
  takeDropped(): boolean {
    const { hasDropped } = this;
    this.hasDropped = false;
    return hasDropped;
  }

  /** The client says that it has all up to here. */
  resumeAfter(position: number): void {
    this.sentUpTo = position;
  }

  /** One of before the client came. */
  deliverPast(event: StreamEvent): void {
    if (this.isFor(event)) this.send(event);
  }

  /** All that was before `position` is sent: from now on events go out as they come. */
  goLive(position: number): void {
    const { waiting } = this;
    this.waiting = null;
    this.waitingBytes = 0;
    this.beat(position);
    for (const event of waiting ?? []) this.send(event);
  }

  /** Resolves when what was sent has been taken, or the client is gone. One that takes nothing for 5 s is cut off. */
  async drained(): Promise<void> {
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

  /** Keeps the connection alive, and has the client come back behind `position`: an id without data is noted, and no event. */
  beat(position: number | null): void {
    if (position === null || this.waiting) {
      this.write(':\n\n');
      return;
    }
    this.sentUpTo = Math.max(this.sentUpTo, position);
    this.write(`:\nid: ${this.sentUpTo}\n\n`);
  }

  /** Something that the stream says of itself. */
  tell(type: string, payload: object = {}): void {
    this.write(`data: ${JSON.stringify({ type, payload, ts: new Date() })}\n\n`);
  }

  /** A client that has not got the head of the answer loses its connection, and comes back by itself. */
  end(reason: EndReason): void {
    const { response } = this;
    if (!this.isOpen()) return;
    if (!this.hasBegun) {
      response.destroy();
      return;
    }
    this.tell('stream.closed', { reason });
    // It may take nothing more of what was sent, and would never be over.
    const timer = setTimeout(() => response.destroy(), END_MS).unref();
    response.once('close', () => clearTimeout(timer));
    response.end();
  }

  private isFor({ sourceType, keyScope }: StreamEvent): boolean {
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
      // Node.js sends what is written at once together, after that.
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
