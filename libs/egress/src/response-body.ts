import { ByteCollector } from '@platform/platform';
import type { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

/** One of them, as servers send it. A response in several on top of each other stays as it is. */
const DECODERS: Record<string, () => Transform> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

export const ACCEPT_ENCODING = 'gzip, deflate, br';

export const canDecode = (encoding: string): boolean => Object.hasOwn(DECODERS, encoding.toLowerCase());

/**
 * Reads a response to its end and undoes `encoding` where there is one. Neither what arrives nor what it unpacks to may have more than
 * `limit` bytes; then the connection is cut and what `toError` makes is thrown.
 */
export async function readBody(body: Readable, encoding: string | null, limit: number, toError: () => Error): Promise<Buffer> {
  const received = new ByteCollector();
  const bounded = async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let bytes = 0;
    for await (const chunk of source) {
      bytes += chunk.length;
      if (bytes > limit) throw toError();
      yield chunk;
    }
  };
  const collect = async (source: AsyncIterable<Buffer>): Promise<void> => {
    for await (const chunk of source) received.add(chunk);
  };
  const decoder = encoding && DECODERS[encoding.toLowerCase()]?.();
  if (decoder) await pipeline(body, bounded, decoder, bounded, collect);
  else await pipeline(body, bounded, collect);
  return received.take();
}
