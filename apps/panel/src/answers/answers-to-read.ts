import type { ServerResponse } from 'node:http';

const MEBIBYTE = 1024 * 1024;

export interface UnreadLimits {
  /** Milliseconds that a client can take to read the answer. */
  ms: number;
  /** Most unread bytes of all clients together. */
  bytes: number;
  /** Most unread bytes of one client. */
  bytesPerSender: number;
  /** Most unread answers of one client. */
  answersPerSender: number;
}

const DEFAULT_LIMITS: UnreadLimits = {
  ms: 30_000,
  bytes: 128 * MEBIBYTE,
  bytesPerSender: 24 * MEBIBYTE,
  answersPerSender: Infinity,
};

/**
 * Finished answers that clients have not fully read yet. An answer that is not read in time or
 * exceeds a limit is dropped, and its connection is closed.
 */
export class AnswersToRead {
  private readonly limits: UnreadLimits;
  private bytes = 0;
  private readonly bySender = new Map<string, Unread>();

  constructor(limits: Partial<UnreadLimits> = {}) {
    this.limits = { ...DEFAULT_LIMITS, ...limits };
  }

  /**
   * Ends `response` with `body`. Its status and headers are already set. An answer that the
   * operating system buffers as a whole counts for no limit. Any other one is counted until it is
   * sent; its connection is closed if it exceeds a limit, or is not read within `ms`. Does nothing
   * if the client is gone.
   *
   * @param sender the client that the limits count for.
   */
  write(sender: string, response: ServerResponse, body: Buffer): void {
    if (response.destroyed) return;
    const { socket } = response.req;
    response.end(body);
    // The operating system has buffered the whole answer. This is the usual case, regardless of
    // other unread answers of the client.
    if (!response.writableLength) return;
    const { ms, bytes, bytesPerSender, answersPerSender } = this.limits;
    const unread = this.of(sender);
    if (
      this.bytes + body.length > bytes ||
      unread.bytes + body.length > bytesPerSender ||
      unread.answers >= answersPerSender
    ) {
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
    socket.once('close', over); // a queued answer on the same connection gets no event of its own
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
