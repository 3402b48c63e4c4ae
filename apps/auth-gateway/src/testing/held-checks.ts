import type { TestService } from '@platform/testing';
import { Passwords } from '../identity/passwords/passwords.service.js';

export interface HeldChecks {
  /** When as many passwords have been checked as were expected. */
  checked: Promise<void>;
  letWrongGo(): void;
  letRightGo(): void;
}

/**
 * Lets this many password checks do their work, and holds what they found out, so that the test says what happens between a check and
 * its consequence. Undone by `jest.restoreAllMocks()`.
 */
export function holdPasswordChecks(service: TestService, count: number): HeldChecks {
  const passwords = service.app.get(Passwords);
  const check = passwords.verify.bind(passwords);
  const [checked, allChecked] = signal();
  const [wrong, letWrongGo] = signal();
  const [right, letRightGo] = signal();
  let found = 0;
  jest.spyOn(passwords, 'verify').mockImplementation(async (...args) => {
    const matches = await check(...args);
    if (++found === count) allChecked();
    await (matches ? right : wrong);
    return matches;
  });
  return { checked, letWrongGo, letRightGo };
}

function signal(): [Promise<void>, () => void] {
  let resolve: () => void = () => undefined;
  return [new Promise<void>((done) => (resolve = done)), () => resolve()];
}
