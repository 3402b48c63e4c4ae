import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { parseContentEncoding, decodeContent } from './content-codings.js';

const LIMIT = 100_000;
const TEXT = 'some text '.repeat(100);

const textOf = async (contentEncoding: string, packed: Buffer): Promise<string> =>
  (
    await decodeContent(packed, parseContentEncoding(contentEncoding) ?? [], LIMIT, () => new Error('too large'))
  ).toString();

/** Gzip with every optional part of a header: extra field, name, comment and its checksum. */
const withFullHeader = (gzip: Buffer): Buffer => {
  const more = [Buffer.from([2, 0, 0xff, 0xfe]), Buffer.from('name\0'), Buffer.from('comment\0'), Buffer.from([1, 2])];
  return Buffer.concat([Buffer.from([0x1f, 0x8b, 8, 0x1e]), gzip.subarray(4, 10), ...more, gzip.subarray(10)]);
};

const gzip = gzipSync(TEXT);
const zlib = deflateSync(TEXT);

describe('content', () => {
  it.each<[string, string, Buffer]>([
    ['gzip', 'gzip', gzip],
    ['under its old name', 'X-GZIP', gzip],
    ['with identity', ' identity , gzip, ', gzip],
    ['identity alone', 'identity', Buffer.from(TEXT)],
    ['no coding', '', Buffer.from(TEXT)],
    ['twice', 'gzip, gzip', gzipSync(gzip)],
    ['in several', 'deflate, br', brotliCompressSync(deflateRawSync(TEXT))],
    ['deflate as zlib', 'deflate', zlib],
    ['deflate without a frame', 'deflate', deflateRawSync(TEXT)],
    ['deflate without a checksum', 'deflate', zlib.subarray(0, -4)],
    ['zlib that is called gzip', 'gzip', zlib],
    ['gzip without a trailer', 'gzip', gzip.subarray(0, -8)],
    ['gzip with half a checksum', 'gzip', gzip.subarray(0, -6)],
    ['gzip without its length', 'gzip', gzip.subarray(0, -4)],
    ['gzip with all headers', 'gzip', withFullHeader(gzip)],
    ['gzip and zeros', 'gzip', Buffer.concat([gzip, Buffer.alloc(100)])],
    ['gzip and anything else', 'gzip', Buffer.concat([gzip, Buffer.from('garbage')])],
    ['gzip in members', 'gzip', Buffer.concat([gzipSync(TEXT.slice(0, 100)), gzipSync(''), gzipSync(TEXT.slice(100))])],
    ['brotli', 'br', brotliCompressSync(TEXT)],
  ])('is unpacked: %s', async (_what, contentEncoding, packed) => {
    expect(await textOf(contentEncoding, packed)).toBe(TEXT);
  });

  it.each(['gzip', 'deflate', 'br', 'gzip, br'])('may be none at all: %s', async (contentEncoding) => {
    expect(await textOf(contentEncoding, Buffer.alloc(0))).toBe('');
  });

  it.each<[string, string, Buffer]>([
    ['gzip that ends in the middle', 'gzip', gzip.subarray(0, -9)],
    ['gzip that ends in its header', 'gzip', gzip.subarray(0, 10)],
    ['gzip whose second member ends in the middle', 'gzip', Buffer.concat([gzip, gzip.subarray(0, -9)])],
    [
      'gzip of other content than its checksum says',
      'gzip',
      Buffer.concat([gzip.subarray(0, -8), gzipSync('other').subarray(-8)]),
    ],
    ['zlib that ends in the middle', 'deflate', zlib.subarray(0, -5)],
    [
      'zlib of other content than its checksum says',
      'deflate',
      Buffer.concat([zlib.subarray(0, -4), Buffer.from('oops')]),
    ],
    ['deflate that ends in the middle', 'deflate', deflateRawSync(TEXT).subarray(0, -1)],
    ['brotli that ends in the middle', 'br', brotliCompressSync(TEXT).subarray(0, -1)],
    ['text', 'gzip', Buffer.from('text')],
    ['text', 'deflate', Buffer.from('text')],
  ])('that is lost is an error: %s', async (_what, contentEncoding, packed) => {
    await expect(textOf(contentEncoding, packed)).rejects.toThrow();
  });

  it.each<[string, string, Buffer]>([
    ['gzip', 'gzip', gzipSync(Buffer.alloc(LIMIT + 1))],
    ['members', 'gzip', Buffer.concat([gzipSync(Buffer.alloc(LIMIT)), gzipSync('a'), gzipSync('b')])],
    ['a thousand members', 'gzip', Buffer.concat(Array.from({ length: 1_001 }, () => gzipSync('')))],
    ['zlib', 'deflate', deflateSync(Buffer.alloc(LIMIT + 1))],
    ['deflate', 'deflate', deflateRawSync(Buffer.alloc(LIMIT + 1))],
    ['brotli', 'br', brotliCompressSync(Buffer.alloc(LIMIT + 1))],
    ['gzip in gzip', 'gzip, gzip', gzipSync(gzipSync(Buffer.alloc(LIMIT + 1)))],
  ])('is never larger than the limit: %s', async (_what, contentEncoding, packed) => {
    await expect(textOf(contentEncoding, packed)).rejects.toThrow('too large');
  });

  it('may be as large as the limit', async () => {
    expect(await textOf('gzip', gzipSync('a'.repeat(LIMIT)))).toHaveLength(LIMIT);
    expect(await textOf('br', brotliCompressSync('a'.repeat(LIMIT)))).toHaveLength(LIMIT);
  });
});

it.each(['zstd', 'compress', 'gzip, zstd', 'none', 'utf-8', 'gzip;q=1', 'constructor'])(
  '%j has a coding that nobody knows here',
  (contentEncoding) => {
    expect(parseContentEncoding(contentEncoding)).toBeNull();
  },
);
