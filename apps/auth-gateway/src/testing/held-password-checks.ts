import type { TestService } from '@platform/testing';
import { PasswordsService } from '../identity/passwords/passwords.service.js';

export interface HeldChecks {
  /** Resolves when the expected number of passwords has been checked. */
  checked: Promise<void>;
  releaseWrong(): void;
  releaseRight(): void;
}

/**
 * Lets this number of password checks run and holds their results, so that a test can act between a
 * check and its consequence. `jest.restoreAllMocks()` undoes it.
 */
export function holdPasswordChecks(service: TestService, count: number): HeldChecks {
  const passwords = service.app.get(PasswordsService);
  const check = passwords.verifyPassword.bind(passwords);
  const [checked, allChecked] = signal();
  const [wrong, letWrongGo] = signal();
  const [right, letRightGo] = signal();
  let found = 0;
  jest.spyOn(passwords, 'verifyPassword').mockImplementation(async (...args) => {
    const matches = await check(...args);
    if (++found === count) allChecked();
    await (matches ? right : wrong);
    return matches;
  });
  return { checked, releaseWrong: letWrongGo, releaseRight: letRightGo };
}

function signal(): [Promise<void>, () => void] {
  let resolve: () => void = () => undefined;
  return [new Promise<void>((done) => (resolve = done)), () => resolve()];
}
