import type { ServerResponse } from 'node:http';

const MEBIBYTE = 1024 * 1024;

export interface UnreadLimits {
  /** How long whoever asked may take to read the answer. */
  ms: number;
  /** Of what all have still to read. */
  bytes: number;
  /** Of what one sender has still to read. */
  bytesPerSender: number;
}

const DEFAULT_LIMITS: UnreadLimits = { ms: 30_000, bytes: 128 * MEBIBYTE, bytesPerSender: 24 * MEBIBYTE };

/** Answers that are there whole, until those who asked have read them. What is not read in time or is too much ends with its connection. */
export class AnswersToRead {
  private readonly limits: UnreadLimits;
  private bytes = 0;
  private readonly bySender = new Map<string, number>();

  constructor(limits: Partial<UnreadLimits> = {}) {
    this.limits = { ...DEFAULT_LIMITS, ...limits };
  }

  /** Ends `response`, whose head is written, with `body`. */
  write(sender: string, response: ServerResponse, body: Buffer): void {
    if (response.destroyed) return;
    const { socket } = response.req;
    response.end(body);
    // The system has all of it: so it is with most, whatever else their senders leave unread.
    if (!response.writableLength) return;
    const { ms, bytes, bytesPerSender } = this.limits;
    if (this.bytes + body.length > bytes || this.of(sender) + body.length > bytesPerSender) {
      socket.destroy();
      return;
    }
    this.count(sender, body.length);
    const over = (): void => {
      clearTimeout(patience);
      response.off('finish', over);
      socket.off('close', over);
      this.count(sender, -body.length);
    };
    const patience = setTimeout(() => socket.destroy(), ms);
    response.once('finish', over);
    socket.once('close', over); // of which an answer that waits behind another on its connection is told nothing
  }

  private of(sender: string): number {
    return this.bySender.get(sender) ?? 0;
  }

  private count(sender: string, by: number): void {
    this.bytes += by;
    const left = this.of(sender) + by;
    if (left) this.bySender.set(sender, left);
    else this.bySender.delete(sender);
  }
}
