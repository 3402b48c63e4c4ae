import { eastAsianWidth } from 'get-east-asian-width';

const ASCII = /^[\x20-\x7e]*$/;
const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Width of a text in a terminal, in columns: two for an East Asian character or an emoji, none for
 * joiners and accents.
 */
export function columnsOf(text: string): number {
  if (ASCII.test(text)) return text.length;
  let columns = 0;
  for (const { segment } of characters.segment(text)) columns += columnsOfCharacter(segment);
  return columns;
}

function columnsOfCharacter(character: string): number {
  if (/^[\p{M}\p{Cc}\p{Cf}]*$/u.test(character)) return 0;
  if (/\p{Emoji_Presentation}|\ufe0f/u.test(character)) return 2;
  return eastAsianWidth(character.codePointAt(0) ?? 0);
}

export const padded = (text: string, columns: number): string =>
  text + ' '.repeat(Math.max(0, columns - columnsOf(text)));

/**
 * Shortens a text to at most `columns` columns. A cut text ends with `…`; characters are never
 * split.
 */
export function fitted(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  let left = columns - 1;
  let begin = '';
  for (const { segment } of characters.segment(text)) {
    left -= columnsOfCharacter(segment);
    if (left < 0) break;
    begin += segment;
  }
  return `${begin}…`;
}
