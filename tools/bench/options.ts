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
/**
 * Measurements that support decisions: designs that were considered (`isolation`), and speed tricks
 * on and off (`tricks`).
 */
export const ON_DEMAND = ['isolation', 'tricks'] as const;
export type Part = (typeof PARTS | typeof ON_DEMAND)[number];

export interface Options {
  /** Tiny runs each measurement once. That only shows that it works; the numbers mean nothing. */
  size: Size;
  rounds: number;
  /** Number of stored events for `stream`; undefined for the default. */
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

Compares the services with baselines of the same run, on a database of its own, and measures the start-up and memory of each
service. Takes about 45 minutes, of which a fifth fills databases. Other work on the machine changes the rates, but hardly the ratios.
Prints each measurement when it ends; a failure does not stop the others. Measurements that miss a bar run again at the end, and both results
are printed. The exit code is 1 if one failed.

  --rounds N     measurements of each side: at least ${FEWEST_ROUNDS}, ${ROUNDS} by default
  --rows N       stored events for \`stream\` (${ROWS}, which takes minutes to fill)
  --only LIST    some of ${PARTS.join(',')}; ${ON_DEMAND.join(',')} run only if named
  --strict       exit code 1 also if a bar is missed twice
  --tiny         runs everything once with little data: shows that it works, the numbers mean nothing
  --help         this text`;

/** @throws Error with the wrong option. */
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
  if (!Number.isInteger(rounds) || rounds < FEWEST_ROUNDS)
    throw new Error(`--rounds takes a whole number from ${FEWEST_ROUNDS} on.`);
  const rows = values.rows === undefined ? undefined : Number(values.rows);
  if (rows !== undefined && (!Number.isInteger(rows) || rows < FEWEST_ROWS))
    throw new Error(`--rows takes a whole number from ${FEWEST_ROWS} on.`);
  const only = values.only?.split(',') ?? PARTS;
  if (!only.every(isPart)) throw new Error(`--only takes a comma-separated list of ${KNOWN.join(',')}.`);
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
