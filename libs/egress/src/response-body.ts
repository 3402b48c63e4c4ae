import { ByteCollector } from '@platform/platform';
import type { Readable } from 'node:stream';

/** Reads a response to its end. It may have at most `limit` bytes as they arrive; then the connection is cut and what `tooLarge` makes is thrown. */
export async function readBody(body: Readable, limit: number, tooLarge: () => Error): Promise<Buffer> {
  const received = new ByteCollector();
  for await (const chunk of body as AsyncIterable<Buffer>) {
    if (received.length + chunk.length > limit) throw tooLarge();
    received.add(chunk);
  }
  return received.take();
}
