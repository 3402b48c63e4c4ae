import { isZeros, PAGE } from './zero-pages.js';

const PAGES = 3;
/** Memory of zeros, with a nonzero byte at each of these positions. */
function memory(...places: number[]): ArrayBuffer {
  const bytes = new Uint8Array(PAGES * PAGE);
  for (const place of places) bytes[place] = 1;
  return bytes.buffer;
}

it('knows pages of zeros', () => {
  expect(isZeros(memory(), 0, PAGES)).toBe(true);
});

it.each([
  ['first', 0],
  ['second', 1],
  ['last of the first word', 7],
  ['first of the second word', 8],
  ['middle', PAGE / 2 + 3],
  ['last of a page', PAGE - 1],
  ['first of the second page', PAGE],
  ['last', PAGES * PAGE - 1],
])('sees a byte that is not zero: the %s', (_which, place) => {
  expect(isZeros(memory(place), 0, PAGES)).toBe(false);
});

it('sees words that are all the same and not zero', () => {
  expect(isZeros(new BigUint64Array((PAGES * PAGE) / 8).fill(5n).buffer, 0, PAGES)).toBe(false);
});

it('looks at the pages that it is told, and at no others', () => {
  const dirty = memory(PAGE - 1, 2 * PAGE);
  expect([isZeros(dirty, 0, 1), isZeros(dirty, 1, 2), isZeros(dirty, 2, 3), isZeros(dirty, 1, 3)]).toEqual([
    false,
    true,
    false,
    false,
  ]);
});
