import { isDeepStrictEqual } from 'node:util';
import type { ConformanceAccount } from './account.js';

/** Something that the platform relies on, of Stripe and of what stands in for it. Throws where it is not so. */
export interface Check {
  name: string;
  run: (account: ConformanceAccount) => Promise<void>;
}

/** @throws Error that says both. */
export function same(what: string, actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) throw new Error(`${what} is ${JSON.stringify(actual)}, and not ${JSON.stringify(expected)}`);
}

export function fits(what: string, actual: string | null | undefined, pattern: RegExp): void {
  if (typeof actual !== 'string' || !pattern.test(actual)) throw new Error(`${what} is ${JSON.stringify(actual)}, which is not ${pattern}`);
}

/** What Stripe refuses with, as far as it is named. @throws Error where it refuses nothing, or otherwise. */
export async function refuses(what: string, work: Promise<unknown>, expected: Readonly<Record<string, unknown>>): Promise<Error> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Error)) throw new Error(`${what} is not refused`);
  const fields = error as unknown as Record<string, unknown>;
  for (const [name, value] of Object.entries(expected)) same(`${name} of the refusal of ${what}`, fields[name] ?? null, value);
  return error;
}

const PATIENCE_MS = 30_000;
const PAUSE_MS = 500;

/** What comes a moment later, such as an event. @throws Error when it does not come. */
export async function comes<Found>(what: string, look: () => Promise<Found | null | undefined>): Promise<Found> {
  for (let waited = 0; waited <= PATIENCE_MS; waited += PAUSE_MS) {
    const found = await look();
    if (found) return found;
    await new Promise((done) => setTimeout(done, PAUSE_MS));
  }
  throw new Error(`${what} did not come within ${PATIENCE_MS / 1_000} s`);
}
