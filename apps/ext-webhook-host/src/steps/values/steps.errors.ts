import { ExtensionError } from '@platform/extension-sdk/runtime';

/** Failure by `control.fail`. The app chose its message, which does not name the step. */
export class AppFailure extends ExtensionError {}

const failed = (message: string) => new ExtensionError('STEP_FAILED', message);
const exceeded = (message: string) => new ExtensionError('BUDGET_EXCEEDED', message);

export const StepErrors = {
  param: (name: string, must: string) => failed(`"${name}" must be ${must}.`),
  missing: (name: string) => failed(`"${name}" is missing or empty.`),
  noJson: () => failed('The text is not valid JSON.'),
  tooManySteps: (limit: number) =>
    exceeded(`A run of this handler may do at most ${limit} steps. Check its steps for an endless loop.`),
  tooMuch: (limit: number) => exceeded(`The values of a run may have at most ${limit / 1024 / 1024} MiB together.`),
  resultTooLarge: (limit: number) => exceeded(`The result may have at most ${limit / 1024} KiB.`),
  timeIsOver: () => new ExtensionError('TIMEOUT', 'The time of the run is over.', { retryable: true }),
};
