const LINE_END = /\r\n|[\n\r\u0085\u2028\u2029]/;

/**
 * Splits a text that a person or an app wrote into its lines. Accepts the line ends of all systems.
 */
export const splitLines = (text: string): string[] => text.split(LINE_END);

/**
 * Splits a text into its paragraphs, which are separated by empty lines. The lines within a
 * paragraph are separated by `\n`. Empty if the text has only spaces.
 */
export function splitParagraphs(text: string): string[] {
  const lines = splitLines(text).map((line) => line.trimEnd());
  return lines
    .join('\n')
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.replace(/^\n+|\n+$/g, ''))
    .filter(Boolean);
}

/**
 * Returns the first line of a text that is not blank, with each run of whitespace as one space. An
 * empty text if there is none.
 */
export const getFirstLine = (text: string): string =>
  (splitLines(text).find((line) => line.trim()) ?? '').trim().replace(/\s+/g, ' ');
