import { InvalidArgumentError } from 'commander';

/** A profile is part of a file name. */
export function parseProfile(text: string): string {
  if (/^\w[\w.-]{0,63}$/.test(text)) return text;
  throw new InvalidArgumentError('It may hold letters, digits, ".", "_" and "-", at most 64.');
}
