const LINE_END = /\r\n|[\n\r\u0085\u2028\u2029]/;

/** Lines of a text that a person or an app wrote, with the line ends of any system. */
export const linesOf = (text: string): string[] => text.split(LINE_END);

/** The parts between empty lines, with `\n` at the ends of their lines. Empty for a text of spaces. */
export function paragraphsOf(text: string): string[] {
  const lines = linesOf(text).map((line) => line.trimEnd());
  return lines
    .join('\n')
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.replace(/^\n+|\n+$/g, ''))
    .filter(Boolean);
}

/** The first line that says something, in which spaces of any kind are one; empty for a text of spaces. */
export const firstLineOf = (text: string): string => (linesOf(text).find((line) => line.trim()) ?? '').trim().replace(/\s+/g, ' ');
