/** Control characters that JSON leaves as they are. A terminal may take them for commands, such as U+009B for "move the cursor". */
const CONTROL = /[\u007f-\u009f]/g;

/** JSON that a terminal can show, whoever chose its texts. */
export const escapedJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(CONTROL, (character) => `\\u00${character.charCodeAt(0).toString(16)}`);
