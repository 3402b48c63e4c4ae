import { ByteCollector } from '@platform/platform';
import type { Readable } from 'node:stream';

/**
 * Reads a whole response body.
 *
 * @throws the error of `tooLarge` above `limit` received bytes, after closing the connection; the
 * error of the stream if the connection breaks.
 */
export async function readBody(body: Readable, limit: number, tooLarge: () => Error): Promise<Buffer> {
  const received = new ByteCollector();
  for await (const chunk of body as AsyncIterable<Buffer>) {
    if (received.length + chunk.length > limit) throw tooLarge();
    received.add(chunk);
  }
  return received.flush();
}
