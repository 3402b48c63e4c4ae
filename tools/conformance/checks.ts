import type { ConformanceAccount } from './account.js';
import { adapterChecks } from './adapter-checks.js';
import type { Check } from './check.js';
import { ruleChecks } from './rule-checks.js';

export const CHECKS: readonly Check[] = [...adapterChecks, ...ruleChecks];

export interface Outcome {
  name: string;
  /** Null: it is as it should be. */
  difference: string | null;
}

/** One after the other, each with customers of its own. */
export async function runChecks(account: ConformanceAccount, report: (outcome: Outcome) => void, checks = CHECKS): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const { name, run } of checks) {
    const started = async () => run(account); // what it throws at once is a difference, too
    const difference = await started().then(
      () => null,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    outcomes.push({ name, difference });
    report({ name, difference });
  }
  return outcomes;
}
