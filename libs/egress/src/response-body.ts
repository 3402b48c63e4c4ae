import { ByteCollector } from '@platform/platform';
import type { Readable } from 'node:stream';

/**
 * Reads a whole response. Above `limit` received bytes, it closes the connection and throws the
 * error of `tooLarge`.
 */
export async function readBody(body: Readable, limit: number, tooLarge: () => Error): Promise<Buffer> {
  const received = new ByteCollector();
  for await (const chunk of body as AsyncIterable<Buffer>) {
    if (received.length + chunk.length > limit) throw tooLarge();
    received.add(chunk);
  }
  return received.take();
}
