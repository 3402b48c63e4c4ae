/**
 * Control characters that JSON.stringify leaves unchanged. Terminals can interpret them as
 * commands, such as U+009B for "move the cursor".
 */
const CONTROL = /[\u007f-\u009f]/g;

/**
 * JSON that is safe to show in a terminal, even with texts of other users: it also escapes the
 * control characters that JSON.stringify leaves unchanged.
 */
export const escapedJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(CONTROL, (character) => `\\u00${character.charCodeAt(0).toString(16)}`);
