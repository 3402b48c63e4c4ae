/** Without what would move the cursor, change colours or reverse the text: others chose it, such as the label of a session. */
export const printable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '');
