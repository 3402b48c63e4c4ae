import { printable } from './printable.js';

/** Indented JSON for people, without control characters. */
export const jsonText = (value: unknown): string =>
  JSON.stringify(value, null, 2).split('\n').map(printable).join('\n');
