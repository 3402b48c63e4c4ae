import 'reflect-metadata';
import { ConformanceAccount } from './account.js';
import { CHECKS, runChecks } from './checks.js';

const HELP = `Usage: npm run billing:conformance
       STRIPE_SECRET_KEY=sk_test_… npm run billing:conformance

Checks that Stripe, or its local fake, behaves as the platform expects: each call of the adapter, and the rules that specs rely on. Prints one line for
each check; the exit code is 1 if one finds a difference. Without STRIPE_SECRET_KEY it checks the fake. Live keys are refused.
Customers and their cards are deleted at the end; test payments stay, because Stripe cannot delete them.`;

const secretKey = process.env['STRIPE_SECRET_KEY'];
if (process.argv.includes('--help')) console.log(HELP);
else if (process.argv.length > 2) {
  console.error(`Unexpected "${process.argv[2]}"\n${HELP}`);
  process.exitCode = 1;
} else {
  try {
    const account = secretKey ? ConformanceAccount.ofStripe(secretKey) : await ConformanceAccount.ofFake();
    try {
      console.log(`${CHECKS.length} checks of ${account.name}\n`);
      const outcomes = await runChecks(account, ({ name, difference }) =>
        console.log(difference === null ? `✓ ${name}` : `✗ ${name}\n  ${difference}`),
      );
      const differences = outcomes.filter(({ difference }) => difference !== null).length;
      console.log(`\n${outcomes.length - differences} as expected, ${differences} not`);
      if (differences) process.exitCode = 1;
    } finally {
      await account.close();
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
