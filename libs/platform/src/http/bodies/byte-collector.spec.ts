import { randomBytes } from 'node:crypto';
import { ByteCollector } from './byte-collector.js';

const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * KIBIBYTE;

/**
 * Collects `bytes` in pieces of `size` bytes. All pieces share one buffer, so that keeping a piece
 * is detected.
 */
function collect(bytes: Buffer, size: number, expected: number | null) {
  const blocks: number[] = [];
  const spies = (['allocUnsafe', 'allocUnsafeSlow'] as const).map((way) => {
    const allocate = Buffer[way].bind(Buffer);
    return jest.spyOn(Buffer, way).mockImplementation((size) => {
      blocks.push(size);
      return allocate(size);
    });
  });
  const collector = new ByteCollector(expected);
  const piece = Buffer.alloc(size);
  let most = 0;
  for (let at = 0; at < bytes.length; at += size) {
    const filled = bytes.copy(piece, 0, at, at + size);
    collector.add(piece.subarray(0, filled));
    if (at % 4096 === 0) most = Math.max(most, blocks.reduce((sum, one) => sum + one, 0) - collector.length);
  }
  piece.fill(0);
  for (const spy of spies) spy.mockRestore();
  return { all: collector.flush(), left: collector.flush(), blocks, most };
}

it.each([
  [0, 1, null],
  [1, 1, null],
  [1_023, 1, null],
  [1_025, 1, 1_025],
  [100_000, 7, null],
  [100_000, 100_000, 100_000],
  [300_000, 1_000, 300_000],
  [300_000, 65_536, 300_000],
  [300_000, 65_536, null],
  [3_000_000, 70_001, null],
  [3_000_000, 70_001, 3_000_000],
  [3_000_000, 65_536, 2_000_000], // more than was announced
  [1_000, 300, 50_000], // less
])('bytes come back as they were: %d in pieces of %d, where %j are expected', (length, size, expected) => {
  const bytes = randomBytes(length);
  const { all, left } = collect(bytes, size, expected);
  expect(all.equals(bytes)).toBe(true);
  expect(left).toHaveLength(0);
});

it('4 MiB in pieces of one byte take a few blocks, and at no time 64 KiB more than has come', () => {
  const { blocks, most } = collect(randomBytes(4 * MEBIBYTE), 1, null);
  expect(blocks.length).toBeLessThan(80);
  expect(most).toBeLessThanOrEqual(64 * KIBIBYTE);
});

it('a few bytes take little, whatever was announced', () => {
  expect(collect(randomBytes(10), 1, 10 * MEBIBYTE).blocks).toEqual([1 + KIBIBYTE]);
});

it('what comes whole is copied once, and what is long is not joined in the end', () => {
  expect(collect(randomBytes(5_000), 5_000, 5_000).blocks).toEqual([5_000]);
  expect(collect(randomBytes(100_000), 64 * KIBIBYTE, 100_000).blocks).toEqual([100_000]);
  const concat = jest.spyOn(Buffer, 'concat');
  const { blocks } = collect(randomBytes(MEBIBYTE), 64 * KIBIBYTE, MEBIBYTE);
  expect(blocks.at(-1)).toBe(MEBIBYTE);
  expect(concat).not.toHaveBeenCalled();
  concat.mockRestore();
});
