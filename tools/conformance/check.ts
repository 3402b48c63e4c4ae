import { isDeepStrictEqual } from 'node:util';
import type { ConformanceAccount } from './account.js';

/**
 * A property that the platform relies on, of Stripe and of the fake. `run` throws if it does not
 * hold.
 */
export interface Check {
  name: string;
  run: (account: ConformanceAccount) => Promise<void>;
}

/** @throws Error with both values if they differ. */
export function same(what: string, actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected))
    throw new Error(`${what} is ${JSON.stringify(actual)}; expected ${JSON.stringify(expected)}`);
}

export function fits(what: string, actual: string | null | undefined, pattern: RegExp): void {
  if (typeof actual !== 'string' || !pattern.test(actual))
    throw new Error(`${what} is ${JSON.stringify(actual)}; expected a match of ${pattern}`);
}

/**
 * Returns the error with which Stripe refuses the work. @throws Error if the work succeeds or the
 * error's fields differ from `expected`.
 */
export async function refuses(
  what: string,
  work: Promise<unknown>,
  expected: Readonly<Record<string, unknown>>,
): Promise<Error> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Error)) throw new Error(`${what} succeeded, but has to be refused`);
  const fields = error as unknown as Record<string, unknown>;
  for (const [name, value] of Object.entries(expected))
    same(`${name} of the refusal of ${what}`, fields[name] ?? null, value);
  return error;
}

const PATIENCE_MS = 30_000;
const PAUSE_MS = 500;

/**
 * Waits up to 30 s for an object that appears later, such as an event. @throws Error if it does not
 * appear.
 */
export async function comes<Found>(what: string, look: () => Promise<Found | null | undefined>): Promise<Found> {
  for (let waited = 0; waited <= PATIENCE_MS; waited += PAUSE_MS) {
    const found = await look();
    if (found) return found;
    await new Promise((done) => setTimeout(done, PAUSE_MS));
  }
  throw new Error(`${what} did not appear within ${PATIENCE_MS / 1_000} s`);
}
