import { ExtensionError } from '@platform/extension-sdk/runtime';

/** What `control.fail` raises: the app's own words, which name no step. */
export class AppFailure extends ExtensionError {}

const failed = (message: string) => new ExtensionError('STEP_FAILED', message);
const exceeded = (message: string) => new ExtensionError('BUDGET_EXCEEDED', message);

export const StepErrors = {
  param: (name: string, must: string) => failed(`"${name}" must be ${must}.`),
  missing: (name: string) => failed(`"${name}" is missing or empty.`),
  noJson: () => failed('The text is no JSON.'),
  tooManySteps: (limit: number) => exceeded(`A run of this handler has at most ${limit} steps. Does it go round in a circle?`),
  tooMuch: (limit: number) => exceeded(`The values of a run have at most ${limit / 1024 / 1024} MiB together.`),
  resultTooLarge: (limit: number) => exceeded(`The result has at most ${limit / 1024} KiB.`),
  timeIsOver: () => new ExtensionError('TIMEOUT', 'The time of the run is over.', { retryable: true }),
};
