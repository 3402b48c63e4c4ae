import { parseArgs } from 'node:util';
import type { Size } from './platform/size.js';

export const PARTS = [
  'me',
  'api-key',
  'device-poll',
  'refresh',
  'login',
  'catalog',
  'call',
  'ledger',
  'paid-call',
  'payment-webhook',
  'webhook',
  'code',
  'large-bodies',
  'stall',
  'neighbours',
  'deployed-apps',
  'deploy',
  'revocation',
  'growth',
  'marketplace',
  'stream',
  'services',
] as const;
/** What decisions rest on: designs that were considered (`isolation`), and speed tricks on and off (`tricks`). */
export const ON_DEMAND = ['isolation', 'tricks'] as const;
export type Part = (typeof PARTS | typeof ON_DEMAND)[number];

export interface Options {
  /** Tiny: every measurement once, which says nothing but that it works. */
  size: Size;
  rounds: number;
  /** How many stored events `stream` has beside those that are read; as many as usual unless told. */
  rows: number | undefined;
  only: readonly Part[];
  strict: boolean;
  help: boolean;
}

const ROUNDS = 7;
const FEWEST_ROUNDS = 5;
const ROWS = 10_000_000;
const FEWEST_ROWS = 10_000;

export const HELP = `Usage: npm run bench -- [options]

Measures the services against baselines of the same run, on a database of its own, and the start-up and memory of each
service. Takes about three quarters of an hour, of which a fifth fills databases. Other work on the machine shifts the rates; the ratios hardly.
Each measurement is printed when it ends; one that fails does not stop the others. What misses a bar is measured once more at the end, and both
are printed. The exit code is 1 when one failed.

  --rounds N     how often each side is measured; at least ${FEWEST_ROUNDS}, ${ROUNDS} unless said
  --rows N       how many events are stored for \`stream\`; ${ROWS} unless said, which takes minutes to fill
  --only LIST    some of ${PARTS.join(',')}; ${ON_DEMAND.join(',')} when it is named
  --strict       exit code 1 also when a bar is missed twice
  --tiny         everything once and as small as can be: shows that it works, and says nothing about how fast it is
  --help         this text`;

/** @throws Error that says which option is wrong. */
export function parseOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: 'string' },
      rows: { type: 'string' },
      only: { type: 'string' },
      strict: { type: 'boolean' },
      tiny: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  const rounds = Number(values.rounds ?? ROUNDS);
  if (!Number.isInteger(rounds) || rounds < FEWEST_ROUNDS) throw new Error(`--rounds takes a whole number from ${FEWEST_ROUNDS} on.`);
  const rows = values.rows === undefined ? undefined : Number(values.rows);
  if (rows !== undefined && (!Number.isInteger(rows) || rows < FEWEST_ROWS))
    throw new Error(`--rows takes a whole number from ${FEWEST_ROWS} on.`);
  const only = values.only?.split(',') ?? PARTS;
  if (!only.every(isPart)) throw new Error(`--only takes some of ${KNOWN.join(',')}.`);
  return {
    size: values.tiny ? 'tiny' : 'full',
    rounds: values.tiny ? 1 : rounds,
    rows,
    only,
    strict: values.strict ?? false,
    help: values.help ?? false,
  };
}

const KNOWN: readonly string[] = [...PARTS, ...ON_DEMAND];
const isPart = (name: string): name is Part => KNOWN.includes(name);
