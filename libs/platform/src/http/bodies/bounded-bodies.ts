import type { IncomingMessage } from 'node:http';
import { Errors, type AppError } from '../../errors.js';
import { BodyErrors, discardRest } from './body-errors.js';
import { BodyRooms, type BodyRoom, type RoomSizes } from './body-rooms.js';
import { ByteCollector } from './byte-collector.js';

const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * KIBIBYTE;
/** The "10 MB" of the interface; a sender that counts in thousands stays below. */
export const MAX_WEBHOOK_BYTES = 10 * MEBIBYTE;
/** Most webhooks are smaller, and need not wait behind large ones: what is larger shares another room. */
const STEP_BYTES = 256 * KIBIBYTE;
/** The first step is counted in units of so many bytes, so that small bodies take little of what they share. */
const SMALL_STEP_BYTES = 4 * KIBIBYTE;
/**
 * After so many bytes in all, and of each at least so many, bodies pause until the next turn of the event loop. Node.js reads up to 2 MiB of each connection in a turn (libuv, `uv__read`: 32
 * times 64 KiB); to copy that from several costs tens of milliseconds, in which nobody else gets an answer.
 */
const BYTES_OF_A_TURN = MEBIBYTE;
const LEAST_OF_A_TURN = 64 * KIBIBYTE;

export interface BodyLimits {
  /** Of one body. */
  bytes: number;
  /** Of all bodies that are being received or worked on, what is beyond the first 256 KiB of each. No size is below `bytes`. */
  large: RoomSizes;
  /** The same of the first 256 KiB of each. No size is below 256 KiB. */
  small: RoomSizes;
  /** How long a body may wait in all, the rest of it still with its sender, for others to be done. */
  waitMs: number;
  /** In what time the first 256 KiB have to come, or all of a smaller body. */
  firstStepMs: number;
  /** In what time each further step of 256 KiB has to come. */
  stepMs: number;
}

const DEFAULT_LIMITS: BodyLimits = {
  bytes: MAX_WEBHOOK_BYTES,
  large: { total: 64 * MEBIBYTE, perApp: 24 * MEBIBYTE, perSender: 24 * MEBIBYTE, perSenderToApp: 12 * MEBIBYTE },
  small: { total: 64 * MEBIBYTE, perApp: 24 * MEBIBYTE, perSender: 16 * MEBIBYTE, perSenderToApp: 8 * MEBIBYTE },
  waitMs: 8_000,
  firstStepMs: 8_000, // so that its sender is told, before the server ends the connection after 10 s
  stepMs: 2_500,
};

/** Receives bodies to the byte, in a bounded part of the memory: nothing is decoded, decompressed or parsed. */
export class BoundedBodies {
  private readonly limits: BodyLimits;
  private readonly small: BodyRooms;
  private readonly large: BodyRooms;
  private receiving = 0;

  constructor(limits: Partial<BodyLimits> = {}) {
    this.limits = { ...DEFAULT_LIMITS, ...limits };
    const { bytes, small, large } = this.limits;
    this.small = new BodyRooms(small, STEP_BYTES);
    this.large = new BodyRooms(large, largeStepsOf(bytes));
  }

  /**
   * Receives the body, which `sender` sends to `app`, and works on it; it counts as held until `work` is done.
   *
   * @throws AppError 413 too large, 503 too many at once, 408 too slow, 400 broken off.
   */
  async with<T>({ app, sender }: BodyOrigin, request: IncomingMessage, work: (body: Buffer) => Promise<T>): Promise<T> {
    const { body, release } = await this.receive({ app, sender }, request);
    try {
      return await work(body);
    } finally {
      release();
    }
  }

  /**
   * Receives the body. It counts as held until `release` is called, which may be done again.
   *
   * @param limit of this body in bytes; at most the limit of all.
   * @throws AppError as `with`.
   */
  async receive({ app, sender }: BodyOrigin, request: IncomingMessage, limit = this.limits.bytes): Promise<HeldBody> {
    const { 'content-length': length } = request.headers;
    const declared = length === undefined ? null : Number(length);
    if (declared !== null && declared > limit) throw refused(request, BodyErrors.tooLarge());
    const shares: Share[] = [
      { room: this.small.open(app, sender), of: smallStepsOf },
      { room: this.large.open(app, sender), of: largeStepsOf },
    ];
    const release = (): void => {
      for (const { room } of shares) room.close();
    };
    try {
      return { body: await this.receiveBesideOthers(request, declared, { ...this.limits, bytes: limit }, shares), release };
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
      return await receive(request, declared, limits, shares, () => Math.max(LEAST_OF_A_TURN, BYTES_OF_A_TURN / this.receiving));
    } finally {
      this.receiving--;
    }
  }
}

/** The app that a body is for, and the client that sends it: each has a share of the memory. */
export interface BodyOrigin {
  app: string;
  sender: string;
}

export interface HeldBody {
  body: Buffer;
  release: () => void;
}

/** What a body takes of one kind of memory: `of` so many bytes that have come. */
interface Share {
  room: BodyRoom;
  of: (bytes: number) => number;
}

const smallStepsOf = (bytes: number): number => Math.min(Math.ceil(bytes / SMALL_STEP_BYTES) * SMALL_STEP_BYTES, STEP_BYTES);
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

    /** Takes room for what has come, and lets more come: at once, in the next turn of the event loop, or when there is room. */
    const goOn = (): void => {
      if (isSettled) return; // it had waited for room, and gave up
      const has = shares.every(({ room, of }) => {
        const more = of(received.length) - room.bytes;
        return more <= 0 || room.take(more, goOn);
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
      resolve(received.take());
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
