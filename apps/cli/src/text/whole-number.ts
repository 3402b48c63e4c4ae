import { InvalidArgumentError } from 'commander';

/** For options and arguments. @throws InvalidArgumentError for what is no number of up to twelve digits. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,12}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}
