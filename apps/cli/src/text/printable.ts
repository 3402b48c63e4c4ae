const BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
const LINE_END = /\r\n|[\n\r\u0085\u2028\u2029]/;
/** Joiners are kept: emoji and words in Persian and Indian languages need them. */
const NOT_SHOWN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}]/gu;

/**
 * Makes a text of other users safe for a terminal, such as the label of a session. Puts it on one
 * line, with spaces for line breaks and tabs, and removes characters that move the cursor, change
 * colours or reverse the text.
 */
export const printable = (text: string): string => text.replace(BREAKS, ' ').replace(NOT_SHOWN, '');

/** Makes a text of other users safe for a terminal, like `printable`, but keeps line breaks. */
export const printableLines = (text: string): string => text.split(LINE_END).map(printable).join('\n').trimEnd();
