import type { IncomingMessage } from 'node:http';
import { AppError } from '../errors.js';
import { ByteCollector } from './byte-collector.js';

/** What a refused request may still send, so that its sender gets to read the answer. Then the connection is cut. */
const MAX_DISCARDED_BYTES = 64 * 1024 * 1024;

export const BodyErrors = {
  tooLarge: () => new AppError(413, 'payload_too_large', 'The request body is too large.'),
  brokenOff: () => new AppError(400, 'malformed_request', 'The request body did not arrive whole.'),
};

/** The body to the byte. What is larger is read to its end, and forgotten. @throws AppError 413 too large, 400 broken off. */
export function receiveBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const { 'content-length': length } = request.headers;
    const received = new ByteCollector(length === undefined ? null : Number(length));
    const settle = (): void => {
      request.off('data', onData);
      request.off('end', onEnd);
      request.off('close', onClose);
    };
    const onData = (piece: Buffer): void => {
      if (received.length + piece.length <= limit) {
        received.add(piece);
        return;
      }
      settle();
      received.clear();
      request.once('close', () => reject(BodyErrors.tooLarge()));
      discardRest(request);
    };
    const onEnd = (): void => {
      settle();
      resolve(received.take());
    };
    const onClose = (): void => {
      settle();
      received.clear();
      reject(BodyErrors.brokenOff());
    };
    request.on('data', onData);
    request.on('end', onEnd);
    request.on('error', onClose);
    request.on('close', onClose);
    if (request.destroyed) onClose();
  });
}

/** Reads what still comes and forgets it, up to 64 MiB; a request that goes on after that is cut. */
export function discardRest(request: IncomingMessage): void {
  let discarded = 0;
  request.on('error', () => undefined);
  request.on('data', (piece: Buffer) => {
    discarded += piece.length;
    if (discarded > MAX_DISCARDED_BYTES) request.destroy();
  });
  request.resume();
}
