import type { ConformanceAccount } from './account.js';
import { adapterChecks } from './adapter-checks.js';
import type { Check } from './check.js';
import { ruleChecks } from './rule-checks.js';

export const CHECKS: readonly Check[] = [...adapterChecks, ...ruleChecks];

export interface Outcome {
  name: string;
  /** Null if the check passed. */
  difference: string | null;
}

/** Runs the checks one after the other; each uses customers of its own. */
export async function runChecks(
  account: ConformanceAccount,
  report: (outcome: Outcome) => void,
  checks = CHECKS,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const { name, run } of checks) {
    const started = async () => run(account); // an error before the first await counts as a difference, too
    const difference = await started().then(
      () => null,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    outcomes.push({ name, difference });
    report({ name, difference });
  }
  return outcomes;
}
