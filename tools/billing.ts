import 'reflect-metadata';
import { billingTime, forgetTestCredits, LedgerSealer, moveBillingTime, verifyLedger } from '@platform/billing';
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

  verify    follows the entries of every wallet, and names each wallet and entry where something does not add up, or is not as it was
            sealed. Exit code 1 when there is one. With --seal it then seals what is not sealed yet, as the gateway does every night; where
            something does not add up it does so only with --force, since a seal makes a fault the truth
  reconcile asks the payment provider about every payment and event that is not over, and brings them to where it has them, as the
            gateway does by itself a little later. Exit code 1 when something is left. Needs the environment of the gateway
  clock     how far the time of billing is ahead; with +32d, +12h or +30m moves it on, with --reset back. Refused in production, and on a
            database that a gateway in production has used. What happened meanwhile stays: months, tiers and entries. Delete .data/ to start
            afresh
  forget-test-credits
            books what is left of test payments out of wallets, and out of what developers have earned by it, so that none of it becomes real
            money. A gateway with a live key of Stripe does not start before. Stop the gateway and workers first. Exit code 1 when something is
            left, which it names: do what it says and run it again

Reads DATABASE_URL and SECRET_KEYS (reconcile: all that the gateway reads), or what \`npm start\` uses.`;

const UNITS: Readonly<Record<string, string>> = { d: 'days', h: 'hours', m: 'minutes' };

type Command = (dataSource: DataSource, env: NodeJS.ProcessEnv) => Promise<boolean>;

/** What the command line asks for. @throws Error when it cannot be understood. */
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
  // The parser takes `-5d` for options that it does not know.
  const back = args.find((arg) => /^-\d/.test(arg));
  if (back !== undefined) throw new Error(`The clock goes on, not back: "${back}". With --reset it is that of the computer again.`);
  const { values, positionals } = parseArgs({ args, options: { reset: { type: 'boolean' } }, allowPositionals: true });
  const [by, ...rest] = positionals;
  if (rest.length || (by !== undefined && values.reset)) throw new Error('The clock takes one of +32d and --reset.');
  const [, count, unit = ''] = /^\+(\d{1,4})([dhm])$/.exec(by ?? '') ?? [];
  if (by !== undefined && count === undefined) throw new Error(`"${by}" is no time such as +32d, +12h or +30m.`);
  return (dataSource, { NODE_ENV }) => {
    if (NODE_ENV === 'production' && by !== undefined) throw new Error('In production the time of billing does not move.');
    return clock(dataSource, values.reset ? '0' : count && `${count} ${UNITS[unit] ?? ''}`);
  };
}

async function verify(
  dataSource: DataSource,
  env: NodeJS.ProcessEnv,
  { seal, force }: { seal?: boolean; force?: boolean },
): Promise<boolean> {
  const { SECRET_KEYS } = parseConfig(KEY_VARIABLES, env);
  const { wallets, entries, problems, notes } = await verifyLedger(dataSource, { keyring: SECRET_KEYS, report: console.error });
  for (const note of notes) console.log(`Note: ${note}`);
  console.log(`${counted(wallets, 'wallet')} with ${counted(entries, 'entry', 'entries')} checked; ${counted(problems, 'problem')}`);
  if (seal && problems > 0 && !force) console.error('Nothing is sealed while something does not add up, unless --force is given.');
  else if (seal) {
    const root = await new LedgerSealer(dataSource, SECRET_KEYS, { info: () => undefined }).seal();
    console.log(
      root ? `Root ${root.number} seals ${counted(root.entries, 'entry', 'entries')}: ${root.mac}` : 'There was nothing to seal.',
    );
  }
  return problems === 0;
}

const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

async function reconcile(env: NodeJS.ProcessEnv): Promise<boolean> {
  // Loaded with the command: it is the whole gateway.
  const { reconcilePayments } = await import('./reconcile-payments.js');
  const { asked, changed, events, left } = await reconcilePayments(env);
  console.log(
    `${counted(asked, 'payment')} asked about, of which ${changed} changed; ${counted(events, 'event')} had no effect yet; ${left} left`,
  );
  return left === 0;
}

async function forgetTests(dataSource: DataSource): Promise<boolean> {
  const { payments, credits, shares, left } = await forgetTestCredits(dataSource);
  for (const line of left) console.error(line);
  console.log(
    `${counted(payments, 'test payment')} forgotten; ${counted(credits, 'credit')} taken out of wallets, ${shares} out of earnings`,
  );
  return left.length === 0;
}

async function clock(dataSource: DataSource, by: string | undefined): Promise<boolean> {
  if (by !== undefined) await moveBillingTime(dataSource, by, { isMore: by !== '0' });
  if (by === '0') console.log('What happened meanwhile stays: months, tiers and entries. Delete `.data/` to start afresh.');
  const { ahead, is_fixed: isFixed, now } = await billingTime(dataSource);
  const fixed = isFixed ? ', and stays: a gateway in production has run on this database' : '';
  console.log(
    ahead === '00:00:00'
      ? `The time of billing is that of the clock${fixed}.`
      : `The time of billing is ${now.toISOString()}: ahead by ${ahead}.`,
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
  const env = { DATABASE_URL: EmbeddedPostgres.runningUrl('.data/postgres', 'platform') ?? '', ...developmentEnvironment() };
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
