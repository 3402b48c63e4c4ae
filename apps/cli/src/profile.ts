import { InvalidArgumentError } from 'commander';

/**
 * Checks the name of a profile, which becomes a part of a file name, and returns it.
 *
 * @throws InvalidArgumentError if it is not 1 to 64 letters, digits, `.`, `_` and `-`, or begins
 * with `.` or `-`.
 */
export function parseProfile(text: string): string {
  if (/^\w[\w.-]{0,63}$/.test(text)) return text;
  throw new InvalidArgumentError('It can have up to 64 letters, digits, ".", "_" and "-".');
}
