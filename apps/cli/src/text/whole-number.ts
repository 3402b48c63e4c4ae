import { InvalidArgumentError } from 'commander';

/**
 * Parses a whole number, 0 or more, for options and arguments.
 *
 * @throws InvalidArgumentError unless it has 1 to 12 digits.
 */
export function wholeNumber(text: string): number {
  if (!/^\d{1,12}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}
