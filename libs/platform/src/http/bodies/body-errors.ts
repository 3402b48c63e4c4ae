import type { IncomingMessage } from 'node:http';
import { AppError } from '../../errors.js';

/** Bytes that a refused request may still send, so that its sender gets to read the answer. Then the connection is cut. */
const MAX_DISCARDED_BYTES = 64 * 1024 * 1024;

export const BodyErrors = {
  tooLarge: () => new AppError(413, 'payload_too_large', 'The request body is too large.'),
  tooSlow: () => new AppError(408, 'request_timeout', 'The request body came too slowly.'),
  brokenOff: () => new AppError(400, 'malformed_request', 'The request body did not arrive whole.'),
};

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
