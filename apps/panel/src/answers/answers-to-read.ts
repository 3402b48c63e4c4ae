import type { ServerResponse } from 'node:http';

const MEBIBYTE = 1024 * 1024;

export interface UnreadLimits {
  /** How long whoever asked may take to read the answer. */
  ms: number;
  /** Of what all have still to read. */
  bytes: number;
  /** Of what one sender has still to read. */
  bytesPerSender: number;
  /** How many answers one sender may have still to read. */
  answersPerSender: number;
}

const DEFAULT_LIMITS: UnreadLimits = { ms: 30_000, bytes: 128 * MEBIBYTE, bytesPerSender: 24 * MEBIBYTE, answersPerSender: Infinity };

/** Answers that are there whole, until those who asked have read them. What is not read in time or is too much ends with its connection. */
export class AnswersToRead {
  private readonly limits: UnreadLimits;
  private bytes = 0;
  private readonly bySender = new Map<string, Unread>();

  constructor(limits: Partial<UnreadLimits> = {}) {
    this.limits = { ...DEFAULT_LIMITS, ...limits };
  }

  /** Ends `response`, whose status and headers are set, with `body`. */
  write(sender: string, response: ServerResponse, body: Buffer): void {
    if (response.destroyed) return;
    const { socket } = response.req;
    response.end(body);
    // The system has all of it: so it is with most, whatever else their senders leave unread.
    if (!response.writableLength) return;
    const { ms, bytes, bytesPerSender, answersPerSender } = this.limits;
    const unread = this.of(sender);
    if (this.bytes + body.length > bytes || unread.bytes + body.length > bytesPerSender || unread.answers >= answersPerSender) {
      socket.destroy();
      return;
    }
    this.count(sender, 1, body.length);
    const over = (): void => {
      clearTimeout(patience);
      response.off('finish', over);
      socket.off('close', over);
      this.count(sender, -1, -body.length);
    };
    const patience = setTimeout(() => socket.destroy(), ms);
    response.once('finish', over);
    socket.once('close', over); // of which an answer that waits behind another on its connection is told nothing
  }

  private of(sender: string): Unread {
    return this.bySender.get(sender) ?? { answers: 0, bytes: 0 };
  }

  private count(sender: string, answers: number, bytes: number): void {
    this.bytes += bytes;
    const before = this.of(sender);
    const left = { answers: before.answers + answers, bytes: before.bytes + bytes };
    if (left.answers) this.bySender.set(sender, left);
    else this.bySender.delete(sender);
  }
}

interface Unread {
  answers: number;
  bytes: number;
}
