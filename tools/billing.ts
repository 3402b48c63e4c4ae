import 'reflect-metadata';
import { readBillingTime, removeTestCredits, LedgerSealer, moveBillingTime, verifyLedger } from '@platform/billing';
import { createDataSource, EmbeddedPostgres } from '@platform/persistence';
import { developmentEnvironment, parseConfig } from '@platform/platform';
import { parseArgs } from 'node:util';
import type { DataSource } from 'typeorm';
import { database } from '../apps/auth-gateway/src/database.js';
import { DATABASE_VARIABLES, KEY_VARIABLES } from './operator-variables.js';

const HELP = `Usage: npm run billing:verify [-- --seal [--force]]
       npm run billing:reconcile
       npm run billing:clock [-- +32d | --reset]
       npm run billing:forget-test-credits

  verify    checks the ledger entries of every wallet, and lists each wallet and entry whose sums are wrong or that differs from its
            seal. Exit code 1 if it finds a problem. With --seal it then seals new entries, as the gateway does every night. If there
            is a problem, it seals only with --force, because later checks take a sealed error as correct
  reconcile asks the payment provider for every unfinished payment and event, and brings them to the provider's state, as the
            gateway does automatically a little later. Exit code 1 if some remain unfinished. Needs the environment of the gateway
  clock     shows how far the billing clock is ahead; +32d, +12h or +30m moves it forward, --reset back to real time. Refused in production and on a
            database that a production gateway has used. A reset does not undo renewals, tiers or ledger entries. Delete .data/ to start
            over
  forget-test-credits
            removes the remaining credits of test payments from wallets, and the earnings that came from them, so that none becomes real
            money. A gateway with a live Stripe key refuses to start before this. Stop the gateway and workers first. Exit code 1 if
            something remains: follow the printed instructions and run it again

Reads DATABASE_URL and SECRET_KEYS (reconcile: all variables of the gateway); by default uses the platform that \`npm start\` runs.`;

const UNITS: Readonly<Record<string, string>> = { d: 'days', h: 'hours', m: 'minutes' };

type Command = (dataSource: DataSource, env: NodeJS.ProcessEnv) => Promise<boolean>;

/** Reads the command and its options. @throws Error if they are not valid. */
function commandOf(name: string, args: string[]): Command {
  if (name === 'verify') {
    const { values } = parseArgs({ args, options: { seal: { type: 'boolean' }, force: { type: 'boolean' } } });
    return (dataSource, env) => verify(dataSource, env, values);
  }
  if (name === 'reconcile') {
    parseArgs({ args, options: {} });
    return (_dataSource, env) => reconcile(env);
  }
  if (name === 'forget-test-credits') {
    parseArgs({ args, options: {} });
    return forgetTests;
  }
  // parseArgs would read `-5d` as unknown options.
  const back = args.find((arg) => /^-\d/.test(arg));
  if (back !== undefined)
    throw new Error(`The billing clock cannot move back: "${back}". Use --reset to return to real time.`);
  const { values, positionals } = parseArgs({ args, options: { reset: { type: 'boolean' } }, allowPositionals: true });
  const [by, ...rest] = positionals;
  if (rest.length || (by !== undefined && values.reset))
    throw new Error('Give clock either a time such as +32d or --reset, not both.');
  const [, count, unit = ''] = /^\+(\d{1,4})([dhm])$/.exec(by ?? '') ?? [];
  if (by !== undefined && count === undefined)
    throw new Error(`"${by}" is not a valid time. Write +32d, +12h or +30m.`);
  return (dataSource, { NODE_ENV }) => {
    if (NODE_ENV === 'production' && by !== undefined)
      throw new Error('The billing clock cannot be moved in production.');
    return clock(dataSource, values.reset ? '0' : count && `${count} ${UNITS[unit] ?? ''}`);
  };
}

async function verify(
  dataSource: DataSource,
  env: NodeJS.ProcessEnv,
  { seal, force }: { seal?: boolean; force?: boolean },
): Promise<boolean> {
  const { SECRET_KEYS } = parseConfig(KEY_VARIABLES, env);
  const { wallets, entries, problems, notes } = await verifyLedger(dataSource, {
    keyring: SECRET_KEYS,
    report: console.error,
  });
  for (const note of notes) console.log(`Note: ${note}`);
  console.log(
    `${counted(wallets, 'wallet')} with ${counted(entries, 'entry', 'entries')} checked; ${counted(problems, 'problem')}`,
  );
  if (seal && problems > 0 && !force)
    console.error('Nothing was sealed, because there are problems. Use --force to seal anyway.');
  else if (seal) {
    const root = await new LedgerSealer(dataSource, SECRET_KEYS, { info: () => undefined }).seal();
    console.log(
      root
        ? `Root ${root.number} seals ${counted(root.entries, 'entry', 'entries')}: ${root.mac}`
        : 'Nothing to seal: all entries are sealed.',
    );
  }
  return problems === 0;
}

const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

async function reconcile(env: NodeJS.ProcessEnv): Promise<boolean> {
  // Imported on demand: it loads the whole gateway.
  const { reconcilePayments } = await import('./reconcile-payments.js');
  const { asked, changed, events, left } = await reconcilePayments(env);
  console.log(
    `${counted(asked, 'payment')} checked, of which ${changed} changed; ${counted(events, 'event')} not processed before; ${left} left`,
  );
  return left === 0;
}

async function forgetTests(dataSource: DataSource): Promise<boolean> {
  const { payments, credits, shares, left } = await removeTestCredits(dataSource);
  for (const line of left) console.error(line);
  console.log(
    `${counted(payments, 'test payment')} forgotten; ${counted(credits, 'credit')} removed from wallets, ${shares} from earnings`,
  );
  return left.length === 0;
}

async function clock(dataSource: DataSource, by: string | undefined): Promise<boolean> {
  if (by !== undefined) await moveBillingTime(dataSource, by, { isMore: by !== '0' });
  if (by === '0') console.log('Renewals, tiers and ledger entries stay as they are. Delete `.data/` to start over.');
  const { ahead, is_fixed: isFixed, now } = await readBillingTime(dataSource);
  const fixed = isFixed ? ', and cannot be moved: a production gateway has used this database' : '';
  console.log(
    ahead === '00:00:00'
      ? `The billing clock shows real time${fixed}.`
      : `The billing clock shows ${now.toISOString()}: ahead by ${ahead}.`,
  );
  return true;
}

const [name = '', ...rest] = process.argv.slice(2);
const isHelp = [name, ...rest].includes('--help');
if (isHelp || !['verify', 'reconcile', 'clock', 'forget-test-credits'].includes(name)) {
  if (!isHelp && name) console.error(`Unknown command "${name}"`);
  console.log(HELP);
  process.exit(isHelp ? 0 : 1);
}
try {
  const command = commandOf(name, rest);
  const env = {
    DATABASE_URL: EmbeddedPostgres.runningUrl('.data/postgres', 'platform') ?? '',
    ...developmentEnvironment(),
  };
  const dataSource = createDataSource(database(parseConfig(DATABASE_VARIABLES, env).DATABASE_URL, 2));
  await dataSource.initialize();
  try {
    if (!(await command(dataSource, env))) process.exitCode = 1;
  } finally {
    await dataSource.destroy();
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
