import { promisify } from 'node:util';
import { brotliDecompress, crc32, inflate, inflateRaw, type CompressCallback, type ZlibOptions } from 'node:zlib';

/**
 * Maximum number of codings of a response. Some servers compress twice; more is an attack on the
 * receiver.
 */
const MAX_CODINGS = 5;
/** Maximum number of members of a gzip. A file of `bgzip` has one for each 64 KiB. */
const MAX_MEMBERS = 1_000;

type Unpack = (packed: Buffer, limit: number) => Promise<Buffer>;
type Coding = 'gzip' | 'deflate' | 'br';

const NAMES: Readonly<Record<string, Coding>> = { gzip: 'gzip', 'x-gzip': 'gzip', deflate: 'deflate', br: 'br' };

export const ACCEPT_ENCODING = 'gzip, deflate, br';

/**
 * Reads the codings of a `Content-Encoding` header (gzip, deflate and br), in the order in which
 * they were applied. Returns an empty list without a header and for `identity`; null if a coding is
 * unknown, or if there are more than 5: the content then stays as it is.
 */
export function parseContentEncoding(contentEncoding = ''): Coding[] | null {
  const names = contentEncoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  if (names.length > MAX_CODINGS) return null;
  const codings = names.map((name) => (Object.hasOwn(NAMES, name) ? NAMES[name] : undefined));
  return codings.every((coding) => coding !== undefined) ? codings : null;
}

/**
 * Undoes the codings, the last one first. Empty content stays empty. Like curl and browsers, it
 * accepts content whose frame or final checksum is missing, or that other bytes follow.
 *
 * @param codings in the order in which they were applied.
 * @param limit maximum number of bytes after each coding.
 * @throws the error of `tooLarge` above `limit`, or if a gzip has more than 1,000 members; Error if
 * the content is not in this coding, ends too early, or has a wrong checksum.
 */
export async function decodeContent(
  packed: Buffer,
  codings: readonly Coding[],
  limit: number,
  tooLarge: () => Error,
): Promise<Buffer> {
  let content = packed;
  try {
    // Empty content is not decoded: some servers name a coding for an empty response.
    for (const coding of codings.toReversed()) if (content.length) content = await UNPACK[coding](content, limit);
  } catch (error) {
    throw (error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge() : error;
  }
  if (content.length > limit) throw tooLarge();
  return content;
}

const UNPACK: Readonly<Record<Coding, Unpack>> = {
  // Some servers say gzip for content in the zlib format.
  gzip: (packed, limit) => (memberAt(packed, 0) === null ? inflated(packed, limit) : gunzipped(packed, limit)),
  deflate: inflated,
  br: (packed, limit) => brotli(packed, { maxOutputLength: limit }),
};

const brotli = promisify(brotliDecompress);

type Informed = (packed: Buffer, options: ZlibOptions, done: CompressCallback) => void;
const informed =
  (unpack: Informed) =>
  (packed: Buffer, limit: number): Promise<{ content: Buffer; consumed: number }> =>
    new Promise((resolve, reject) => {
      unpack(packed, { info: true, maxOutputLength: Math.max(limit, 1) }, (error, result) => {
        if (error) {
          reject(error);
          return;
        }
        const { buffer, engine } = result as unknown as { buffer: Buffer; engine: { bytesWritten: number } };
        resolve({ content: buffer, consumed: engine.bytesWritten });
      });
    });
const withoutFrame = informed(inflateRaw);
const zlib = informed(inflate);

/**
 * Decodes the zlib format (RFC 1950), with or without the checksum at its end, or the same without
 * its frame, which some servers call deflate.
 *
 * @throws Error if the content has none of these forms, or ends too early; with the code
 * ERR_BUFFER_TOO_LARGE if the result is larger than `limit` bytes.
 */
async function inflated(packed: Buffer, limit: number): Promise<Buffer> {
  const isFramed = packed.length > 1 && (packed.readUInt8(0) & 0x0f) === 8 && packed.readUInt16BE(0) % 31 === 0;
  if (!isFramed) return (await withoutFrame(packed, limit)).content;
  try {
    return (await zlib(packed, limit)).content;
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code !== 'Z_BUF_ERROR' && code !== 'Z_DATA_ERROR') throw error;
    // The checksum at the end is missing, or the beginning only looks like a frame.
    const other = await withoutFrame(code === 'Z_BUF_ERROR' ? packed.subarray(ZLIB_HEADER) : packed, limit).catch(
      () => null,
    );
    if (!other) throw error;
    return other.content;
  }
}

const ZLIB_HEADER = 2;
const GZIP_TRAILER = 8;

/**
 * Decodes gzip members in sequence (RFC 1952), and returns their contents together. The checksum
 * and the length of the last member can be missing, and bytes that are no member can follow it.
 *
 * @throws Error if a member cannot be decoded, ends too early, or has a wrong checksum; with the
 * code ERR_BUFFER_TOO_LARGE above `limit` bytes of content or 1,000 members.
 */
async function gunzipped(packed: Buffer, limit: number): Promise<Buffer> {
  const contents: Buffer[] = [];
  let left = limit;
  let at = 0;
  for (let start = memberAt(packed, at); start !== null; start = memberAt(packed, at)) {
    const { content, consumed } = await withoutFrame(packed.subarray(start), left);
    left -= content.length;
    contents.push(content);
    const trailer = packed.subarray(start + consumed, start + consumed + GZIP_TRAILER);
    if (trailer.length >= 4 && trailer.readUInt32LE(0) !== crc32(content))
      throw new Error('The checksum of the content is wrong.');
    if (left < 0 || contents.length > MAX_MEMBERS)
      throw Object.assign(new Error('too large'), { code: 'ERR_BUFFER_TOO_LARGE' });
    at = start + consumed + GZIP_TRAILER;
  }
  return Buffer.concat(contents);
}

/**
 * Offset of the compressed content of the gzip member with its header at `at`; null if there is no
 * header.
 */
function memberAt(packed: Buffer, at: number): number | null {
  if (packed.length < at + 10 || packed.readUIntBE(at, 3) !== 0x1f8b08) return null;
  const flags = packed.readUInt8(at + 3);
  let start = at + 10;
  if (flags & 0x04) start += 2 + (start + 2 <= packed.length ? packed.readUInt16LE(start) : 0);
  for (const named of [0x08, 0x10]) if (flags & named) start = behindZero(packed, start);
  if (flags & 0x02) start += 2;
  return Math.min(start, packed.length);
}

function behindZero(packed: Buffer, from: number): number {
  const end = packed.indexOf(0, from);
  return end < 0 ? packed.length : end + 1;
}
