import type { IncomingMessage } from 'node:http';
import { AppError } from '../../errors.js';

/**
 * Bytes that a client can still send after a refusal, so that it can read the answer. After that,
 * the connection is closed.
 */
const MAX_DISCARDED_BYTES = 64 * 1024 * 1024;

export const BodyErrors = {
  tooLarge: () => new AppError(413, 'payload_too_large', 'The request body is too large.'),
  tooSlow: () => new AppError(408, 'request_timeout', 'The request body came too slowly.'),
  brokenOff: () => new AppError(400, 'malformed_request', 'The request body did not arrive whole.'),
};

/**
 * Reads and drops the rest of a request, up to 64 MiB. A client that sends more is disconnected.
 */
export function discardRest(request: IncomingMessage): void {
  let discarded = 0;
  request.on('error', () => undefined);
  request.on('data', (piece: Buffer) => {
    discarded += piece.length;
    if (discarded > MAX_DISCARDED_BYTES) request.destroy();
  });
  request.resume();
}
