import { AppError, Errors } from '@platform/platform';
import type { IncomingMessage } from 'node:http';
import { BodyRooms, type BodyRoom } from './body-rooms.js';

const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * KIBIBYTE;
/** The "10 MB" of the interface; a sender that counts in thousands stays below. */
export const MAX_WEBHOOK_BYTES = 10 * MEBIBYTE;
/** Most webhooks are far smaller, and need not wait behind large ones. The others take memory in steps of so much, as it comes. */
const STEP_BYTES = 256 * KIBIBYTE;
/** What a refused request may still send, so that its sender gets to read the answer. Then the connection is cut. */
const MAX_DISCARDED_BYTES = 64 * MEBIBYTE;

export interface BodyLimits {
  /** Of one body. */
  bytes: number;
  /** Of all large bodies that are being received or worked on; of one app; of one sender to it. Each is at least `bytes`. */
  totalBytes: number;
  appBytes: number;
  senderBytes: number;
  /** How long a large body may wait in all, the rest of it still with its sender, for others to be done. */
  waitMs: number;
  /** In what time each step of a large body has to come. */
  stepMs: number;
}

const DEFAULT_LIMITS: BodyLimits = {
  bytes: MAX_WEBHOOK_BYTES,
  totalBytes: 64 * MEBIBYTE,
  appBytes: 24 * MEBIBYTE,
  senderBytes: 12 * MEBIBYTE,
  waitMs: 8_000,
  stepMs: 2_500,
};

/** Receives bodies to the byte: nothing is decoded, decompressed or parsed. */
export class WebhookBodies {
  private readonly limits: BodyLimits;
  private readonly rooms: BodyRooms;

  constructor(limits: Partial<BodyLimits> = {}) {
    this.limits = { ...DEFAULT_LIMITS, ...limits };
    const { totalBytes: total, appBytes: perApp, senderBytes: perSender, bytes } = this.limits;
    this.rooms = new BodyRooms({ total, perApp, perSender }, stepsOf(bytes));
  }

  /**
   * Receives the body, which `sender` sends to `app`, and works on it; it counts as held until `work` is done.
   *
   * @throws AppError 413 too large, 503 too many large ones at once, 408 too slow, 400 broken off.
   */
  async with<T>(
    { app, sender }: { app: string; sender: string },
    request: IncomingMessage,
    work: (body: Buffer) => Promise<T>,
  ): Promise<T> {
    const { 'content-length': length } = request.headers;
    const declared = length === undefined ? null : Number(length);
    if (declared !== null && declared > this.limits.bytes) throw refused(request, tooLarge());
    const room = this.rooms.open(app, sender);
    try {
      return await work(await receive(request, declared, this.limits, room));
    } finally {
      room.close();
    }
  }
}

/** What a body of so many bytes takes. */
const stepsOf = (bytes: number): number => (Math.ceil(bytes / STEP_BYTES) - 1) * STEP_BYTES;

function receive(
  request: IncomingMessage,
  declared: number | null,
  { bytes: limit, waitMs, stepMs }: BodyLimits,
  room: BodyRoom,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let received = 0;
    let whole: Buffer | null = null;
    let patience: NodeJS.Timeout | undefined;

    const settle = (): void => {
      clearTimeout(patience);
      request.off('data', onData);
      request.off('close', onClose);
      chunks.length = 0;
    };
    const refuse = (error: AppError): void => {
      settle();
      reject(refused(request, error));
    };
    const onlyFor = (ms: number, error: () => AppError): void => {
      clearTimeout(patience);
      patience = setTimeout(() => refuse(error()), ms);
    };
    let mayWaitMs = waitMs;
    let waitsSince = 0;
    const goOn = (): void => {
      mayWaitMs -= performance.now() - waitsSince;
      onlyFor(stepMs, tooSlow);
      request.resume();
    };
    const keep = (chunk: Buffer): void => {
      if (!whole && declared !== null && received + chunk.length > STEP_BYTES) {
        // Not filled: the system gives it memory as it is written to, so that it takes what has come and not what was announced.
        whole = Buffer.allocUnsafeSlow(declared);
        Buffer.concat(chunks).copy(whole);
        chunks.length = 0;
      }
      if (whole) chunk.copy(whole, received);
      else chunks.push(chunk);
      received += chunk.length;
    };
    const onData = (chunk: Buffer): void => {
      if (received + chunk.length > limit) {
        refuse(tooLarge());
        return;
      }
      keep(chunk);
      const more = stepsOf(received) - room.bytes;
      if (more <= 0) return;
      if (room.take(more, goOn)) {
        onlyFor(stepMs, tooSlow);
        return;
      }
      request.pause();
      waitsSince = performance.now();
      onlyFor(mayWaitMs, Errors.unavailable);
    };
    const onClose = (): void => {
      settle();
      reject(brokenOff());
    };
    request.on('data', onData);
    request.on('end', () => {
      const body = whole ?? Buffer.concat(chunks);
      settle();
      resolve(body);
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
  request.resume();
  return error;
}

const tooLarge = () => new AppError(413, 'payload_too_large', 'The request body is too large.');
const tooSlow = () => new AppError(408, 'request_timeout', 'The request body came too slowly.');
const brokenOff = () => new AppError(400, 'malformed_request', 'The request body did not arrive whole.');
