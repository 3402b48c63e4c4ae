import { CommandProcess } from '../terminal/command-process.js';
import { ConformanceAccount } from './account.js';
import { refuses, same } from './check.js';
import { CHECKS, runChecks, type Outcome } from './checks.js';

/**
 * Runs the checks of `npm run billing:conformance`, which normally test Stripe's test mode,
 * against the fake Stripe.
 */
describe('the stand-in of Stripe', () => {
  let account: ConformanceAccount;
  beforeAll(async () => {
    account = await ConformanceAccount.ofFake();
  });
  afterAll(() => account.close());

  it.each(CHECKS.map((check) => [check.name, check] as const))('%s', async (_name, { run }) => {
    await run(account);
  });

  it('is called by every method of the adapter', async () => {
    const called = new Set<string>();
    const watched = await ConformanceAccount.ofFake();
    const names = Object.getOwnPropertyNames(Object.getPrototypeOf(watched.payments)).filter(
      (name) => !['constructor', 'close', 'call', 'client', 'load'].includes(name),
    );
    const methods = watched.payments as unknown as Record<string, (...parameters: unknown[]) => unknown>;
    for (const name of names) {
      const method = methods[name]?.bind(watched.payments);
      methods[name] = (...parameters) => {
        called.add(name);
        return method?.(...parameters);
      };
    }
    try {
      await runChecks(watched, () => undefined);
    } finally {
      await watched.close();
    }
    expect([...called].sort()).toEqual(names.sort());
  });

  it('leaves no customer behind', async () => {
    const other = await ConformanceAccount.ofFake();
    const { state } = other.fake ?? {};
    await other.withCard('pm_card_visa');
    await other.close();
    expect(state?.list('customer')).toMatchObject([{ deleted: true }]);
    expect(state?.list('payment_method')).toMatchObject([{ customer: null }]);
  });
});

it('a check that finds a difference says both, and the others go on', async () => {
  const account = await ConformanceAccount.ofFake();
  const outcomes: Outcome[] = [];
  const checks = [
    {
      name: 'first',
      run: () => {
        same('the sum', 1 + 1, 3);
        return Promise.resolve();
      },
    },
    { name: 'second', run: () => refuses('nothing', Promise.resolve(), {}).then(() => undefined) },
    { name: 'third', run: () => Promise.resolve() },
  ];
  await runChecks(account, (outcome) => outcomes.push(outcome), checks).finally(() => account.close());
  expect(outcomes.map(({ difference }) => difference)).toEqual([
    'the sum is 2; expected 3',
    'nothing succeeded, but has to be refused',
    null,
  ]);
});

describe('the program', () => {
  const run = async (env: NodeJS.ProcessEnv, ...parameters: string[]) => {
    const command = CommandProcess.start(parameters, env, 'dist/tools/conformance/main.js');
    return { exitCode: await command.exited, stdout: command.stdout, stderr: command.stderr };
  };

  it('asks the stand-in where there is no key', async () => {
    const { exitCode, stdout, stderr } = await run({});
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toContain(`${CHECKS.length} checks of the fake`);
    expect(stdout.match(/^✓ /gm)).toHaveLength(CHECKS.length);
    expect(stdout).toContain(`${CHECKS.length} as expected, 0 not`);
  });

  it.each(['sk_live_0', 'rk_live_0', 'pk_test_0', 'anything'])('refuses the key %s', async (key) => {
    const { exitCode, stdout, stderr } = await run({ STRIPE_SECRET_KEY: key });
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/test mode/);
    expect(stderr).not.toContain(key);
  });
});
