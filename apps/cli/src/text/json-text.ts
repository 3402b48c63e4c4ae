import { printable } from './printable.js';

/** A value for a person to read: JSON over several lines, in which nothing acts on the terminal. */
export const jsonText = (value: unknown): string => JSON.stringify(value, null, 2).split('\n').map(printable).join('\n');
