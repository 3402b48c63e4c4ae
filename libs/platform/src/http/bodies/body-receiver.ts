import type { IncomingMessage } from 'node:http';
import { Errors, type AppError } from '../../errors.js';
import { BodyErrors, discardRest } from './body-errors.js';
import { BodyMemoryPool, type BodyMemory, type BodyMemoryLimits } from './body-memory-pool.js';
import { ByteCollector } from './byte-collector.js';

const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * KIBIBYTE;
/** The "10 MB" of the API. A sender that counts 10,000,000 bytes stays below it. */
export const MAX_WEBHOOK_BYTES = 10 * MEBIBYTE;
/**
 * Most webhooks are smaller than this, and do not wait behind large ones: the bytes above it are
 * counted in another room.
 */
const STEP_BYTES = 256 * KIBIBYTE;
/** The first step is counted in units of this size, so that small bodies take little memory. */
const SMALL_STEP_BYTES = 4 * KIBIBYTE;
/**
 * All bodies together pause after this number of bytes until the next turn of the event loop; each
 * body can receive at least `LEAST_OF_A_TURN`. Node.js reads up to 2 MiB of each connection in a
 * turn (libuv, `uv__read`: 32 times 64 KiB). To copy that from several connections takes tens of
 * milliseconds, in which no other request is answered.
 */
const BYTES_OF_A_TURN = MEBIBYTE;
const LEAST_OF_A_TURN = 64 * KIBIBYTE;

export interface BodyLimits {
  /** Maximum bytes of one body. */
  bytes: number;
  /**
   * Memory for all bodies that are received or processed, for the bytes beyond the first 256 KiB of
   * each. No size is below `bytes`.
   */
  large: BodyMemoryLimits;
  /** The same for the first 256 KiB of each body. No size is below 256 KiB. */
  small: BodyMemoryLimits;
  /**
   * Milliseconds that a body can wait in all for memory. The rest of it stays with its sender
   * meanwhile.
   */
  waitMs: number;
  /** Milliseconds in which the first 256 KiB must arrive, or all of a smaller body. */
  firstStepMs: number;
  /** Milliseconds in which each further 256 KiB must arrive. */
  stepMs: number;
}

const DEFAULT_LIMITS: BodyLimits = {
  bytes: MAX_WEBHOOK_BYTES,
  large: { total: 64 * MEBIBYTE, perApp: 24 * MEBIBYTE, perSender: 24 * MEBIBYTE, perSenderToApp: 12 * MEBIBYTE },
  small: { total: 64 * MEBIBYTE, perApp: 24 * MEBIBYTE, perSender: 16 * MEBIBYTE, perSenderToApp: 8 * MEBIBYTE },
  waitMs: 8_000,
  firstStepMs: 8_000, // so that the sender gets an answer before the server closes the connection after 10 s
  stepMs: 2_500,
};

/**
 * Receives raw bodies in a limited part of the memory. Nothing is decoded, decompressed or parsed.
 */
export class BodyReceiver {
  private readonly limits: BodyLimits;
  private readonly small: BodyMemoryPool;
  private readonly large: BodyMemoryPool;
  private receiving = 0;

  constructor(limits: Partial<BodyLimits> = {}) {
    this.limits = { ...DEFAULT_LIMITS, ...limits };
    const { bytes, small, large } = this.limits;
    this.small = new BodyMemoryPool(small, STEP_BYTES);
    this.large = new BodyMemoryPool(large, largeStepsOf(bytes));
  }

  /**
   * Receives the body that `sender` sends to `app`, and returns the result of `work` with it. The
   * memory counts as used until `work` is done.
   *
   * @throws AppError 413 `payload_too_large`; 503 `unavailable` if other bodies take the memory for
   * too long; 408 `request_timeout` if it arrives too slowly; 400 `malformed_request` if the client
   * disconnects; the error of `work`.
   */
  async withBody<T>(
    { app, sender }: BodyOrigin,
    request: IncomingMessage,
    work: (body: Buffer) => Promise<T>,
  ): Promise<T> {
    const { body, release } = await this.receiveBody({ app, sender }, request);
    try {
      return await work(body);
    } finally {
      release();
    }
  }

  /**
   * Receives the body that `sender` sends to `app`. Its memory counts as used until `release` is
   * called; further calls of `release` do nothing.
   *
   * @param limit maximum bytes of this body; at most the limit of all bodies.
   * @throws AppError 413 if it is too large; 503 if other bodies take the memory for too long; 408
   * if it arrives too slowly; 400 if the client disconnects.
   */
  async receiveBody(
    { app, sender }: BodyOrigin,
    request: IncomingMessage,
    limit = this.limits.bytes,
  ): Promise<HeldBody> {
    const { 'content-length': length } = request.headers;
    const declared = length === undefined ? null : Number(length);
    if (declared !== null && declared > limit) throw refused(request, BodyErrors.tooLarge());
    const shares: Share[] = [
      { room: this.small.openBody(app, sender), of: smallStepsOf },
      { room: this.large.openBody(app, sender), of: largeStepsOf },
    ];
    const release = (): void => {
      for (const { room } of shares) room.release();
    };
    try {
      return {
        body: await this.receiveBesideOthers(request, declared, { ...this.limits, bytes: limit }, shares),
        release,
      };
    } catch (error) {
      release();
      throw error;
    }
  }

  private async receiveBesideOthers(
    request: IncomingMessage,
    declared: number | null,
    limits: BodyLimits,
    shares: readonly Share[],
  ): Promise<Buffer> {
    this.receiving++;
    try {
      return await receive(request, declared, limits, shares, () =>
        Math.max(LEAST_OF_A_TURN, BYTES_OF_A_TURN / this.receiving),
      );
    } finally {
      this.receiving--;
    }
  }
}

/** The app that a body is for, and the client that sends it. Each has a share of the memory. */
export interface BodyOrigin {
  app: string;
  sender: string;
}

export interface HeldBody {
  body: Buffer;
  release: () => void;
}

/** Memory of one kind that a body takes. `of` is the size for a number of received bytes. */
interface Share {
  room: BodyMemory;
  of: (bytes: number) => number;
}

const smallStepsOf = (bytes: number): number =>
  Math.min(Math.ceil(bytes / SMALL_STEP_BYTES) * SMALL_STEP_BYTES, STEP_BYTES);
const largeStepsOf = (bytes: number): number => Math.max(0, Math.ceil(bytes / STEP_BYTES) - 1) * STEP_BYTES;

function receive(
  request: IncomingMessage,
  declared: number | null,
  { bytes: limit, waitMs, firstStepMs, stepMs }: BodyLimits,
  shares: readonly Share[],
  bytesOfATurn: () => number,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const received = new ByteCollector(declared);
    let step = 0;
    let patience: NodeJS.Timeout | undefined;
    let isSettled = false;

    const settle = (): void => {
      isSettled = true;
      clearTimeout(patience);
      clearImmediate(pauseEnd);
      request.off('data', onData);
      request.off('close', onClose);
    };
    const refuse = (error: AppError): void => {
      settle();
      received.clear();
      reject(refused(request, error));
    };
    const onlyFor = (ms: number, error: () => AppError): void => {
      clearTimeout(patience);
      patience = setTimeout(() => refuse(error()), ms);
    };
    const awaitMore = (): void => onlyFor(step ? stepMs : firstStepMs, BodyErrors.tooSlow);
    let mayWaitMs = waitMs;
    let waitsSince: number | null = null;
    let sincePause = 0;
    let pauseEnd: NodeJS.Immediate | undefined;

    const pauseForOthers = (): void => {
      request.pause();
      pauseEnd ??= setImmediate(() => {
        pauseEnd = undefined;
        sincePause = 0;
        if (waitsSince === null) request.resume();
      });
    };

    /**
     * Takes memory for the received bytes, and lets more arrive: at once, in the next turn of the
     * event loop, or as soon as there is memory.
     */
    const goOn = (): void => {
      if (isSettled) return; // it waited for memory, and was refused
      const has = shares.every(({ room, of }) => {
        const more = of(received.length) - room.bytes;
        return more <= 0 || room.reserve(more, goOn);
      });
      if (!has) {
        wait();
        return;
      }
      const steps = largeStepsOf(received.length);
      const waited = waitsSince !== null;
      if (waitsSince !== null) mayWaitMs -= performance.now() - waitsSince;
      waitsSince = null;
      if (steps > step || waited) {
        step = steps;
        awaitMore();
      }
      if (sincePause >= bytesOfATurn()) pauseForOthers();
      else if (waited) request.resume();
    };
    const wait = (): void => {
      if (waitsSince !== null) return;
      waitsSince = performance.now();
      request.pause();
      onlyFor(mayWaitMs, Errors.unavailable);
    };
    const onData = (piece: Buffer): void => {
      if (received.length + piece.length > limit) {
        refuse(BodyErrors.tooLarge());
        return;
      }
      received.add(piece);
      sincePause += piece.length;
      goOn();
    };
    const onClose = (): void => {
      settle();
      received.clear();
      reject(BodyErrors.brokenOff());
    };
    awaitMore();
    request.on('data', onData);
    request.on('end', () => {
      settle();
      resolve(received.flush());
    });
    request.on('error', onClose);
    request.on('close', onClose);
    if (request.destroyed) onClose();
  });
}

function refused(request: IncomingMessage, error: AppError): AppError {
  discardRest(request);
  return error;
}
