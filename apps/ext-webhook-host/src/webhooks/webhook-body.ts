import { AppError, Errors } from '@platform/platform';
import type { IncomingMessage } from 'node:http';

const MEBIBYTE = 1024 * 1024;
/** The "10 MB" of the interface; a sender that counts in thousands stays below. */
export const MAX_WEBHOOK_BYTES = 10 * MEBIBYTE;
/** Most webhooks are far smaller, and need not wait behind large ones. */
const SMALL_BYTES = 256 * 1024;
/** What a refused request may still send, so that its sender gets to read the answer. Then the connection is cut. */
const MAX_DISCARDED_BYTES = 64 * MEBIBYTE;

export interface BodyLimits {
  /** Of one body. */
  bytes: number;
  /** Of all large bodies that are being received or worked on. */
  totalBytes: number;
  /** How long a large body may wait, still with its sender, for others to be done. */
  waitMs: number;
}

const DEFAULT_LIMITS: BodyLimits = { bytes: MAX_WEBHOOK_BYTES, totalBytes: 64 * MEBIBYTE, waitMs: 8_000 };

/** Receives bodies to the byte: nothing is decoded, decompressed or parsed. */
export class WebhookBodies {
  private readonly limits: BodyLimits;
  private held = 0;
  /** First come, first served. Each returns whether there was room for it. */
  private readonly waiting = new Set<() => boolean>();

  constructor(limits: Partial<BodyLimits> = {}) {
    this.limits = { ...DEFAULT_LIMITS, ...limits };
  }

  /**
   * Receives the body and works on it; it counts as held until `work` is done.
   *
   * @throws AppError 413 too large, 503 too many large ones at once, 400 broken off.
   */
  async with<T>(request: IncomingMessage, work: (body: Buffer) => Promise<T>): Promise<T> {
    const { bytes: limit } = this.limits;
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
    const declared = length === undefined ? null : Number(length);
    if (declared !== null && declared > limit) throw refused(request, tooLarge());
    // Without a length it may become as large as any.
    const expected = declared ?? (encoding === undefined ? 0 : limit);
    const counted = expected > SMALL_BYTES ? expected : 0;
    await this.admit(request, counted);
    try {
      return await work(await receive(request, declared, limit));
    } finally {
      this.held -= counted;
      this.admitWaiting();
    }
  }

  private async admit(request: IncomingMessage, bytes: number): Promise<void> {
    if (!bytes || (!this.waiting.size && this.hold(bytes))) return;
    await new Promise<void>((resolve, reject) => {
      const tryAgain = (): boolean => {
        if (!this.hold(bytes)) return false;
        end();
        resolve();
        return true;
      };
      const giveUp = (error: AppError): void => {
        end();
        reject(error);
        this.admitWaiting();
      };
      const patience = setTimeout(() => giveUp(refused(request, Errors.unavailable())), this.limits.waitMs);
      const onClose = (): void => giveUp(brokenOff());
      const end = (): void => {
        clearTimeout(patience);
        request.off('close', onClose);
        this.waiting.delete(tryAgain);
      };
      request.once('close', onClose);
      this.waiting.add(tryAgain);
    });
  }

  private hold(bytes: number): boolean {
    if (this.held + bytes > this.limits.totalBytes) return false;
    this.held += bytes;
    return true;
  }

  private admitWaiting(): void {
    for (const tryAgain of this.waiting) if (!tryAgain()) return;
  }
}

function receive(request: IncomingMessage, declared: number | null, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let received = 0;
    const whole = declared === null ? null : Buffer.allocUnsafeSlow(declared);
    const onData = (chunk: Buffer): void => {
      const at = received;
      received += chunk.length;
      if (received > limit) {
        request.off('data', onData);
        chunks.length = 0;
        reject(refused(request, tooLarge()));
      } else if (whole) chunk.copy(whole, at);
      else chunks.push(chunk);
    };
    const onClose = (): void => reject(brokenOff());
    request.on('data', onData);
    request.on('end', () => {
      request.off('close', onClose);
      resolve(whole ?? Buffer.concat(chunks));
    });
    request.on('error', onClose);
    request.on('close', onClose);
    if (request.destroyed) onClose();
  });
}

/** Reads what still comes and forgets it. */
function refused(request: IncomingMessage, error: AppError): AppError {
  let discarded = 0;
  request.on('error', () => undefined);
  request.on('data', (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded > MAX_DISCARDED_BYTES) request.destroy();
  });
  return error;
}

const tooLarge = () => new AppError(413, 'payload_too_large', 'The request body is too large.');
const brokenOff = () => new AppError(400, 'malformed_request', 'The request body did not arrive whole.');
