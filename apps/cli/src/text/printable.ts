const BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
const LINE_END = /\r\n|[\n\r\u0085\u2028\u2029]/;
/** The joiners stay: emoji are made by them, and words of Persian and of the languages of India are written with them. */
const NOT_SHOWN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}]/gu;

/**
 * Text that others chose, such as the label of a session: on one line, and without characters that move the cursor, change colours or reverse the text. Line
 * breaks and tabs become spaces.
 */
export const printable = (text: string): string => text.replace(BREAKS, ' ').replace(NOT_SHOWN, '');

/** Like `printable`, but the text keeps its lines. */
export const printableLines = (text: string): string => text.split(LINE_END).map(printable).join('\n').trimEnd();
