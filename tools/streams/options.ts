import { parseArgs } from 'node:util';

export interface Options {
  streams: number;
  seconds: number;
  perSecond: number;
  redisUrl: string | undefined;
  help: boolean;
}

export const HELP = `Usage: npm run streams -- [options]

Connects many event stream clients to one gateway process, some of which never read. Kills the process and moves the clients to another. Prints the memory per
stream, and checks that each client got each of its events once and in order. Needs twice as many open files as streams (ulimit -n), and about ten minutes.

  --streams N      number of clients, one in twenty never reads (5000)
  --seconds N      seconds of events before the process is killed (300)
  --per-second N   events per second, for random users (200)
  --redis URL      uses this Redis; by default only PostgreSQL
  --help           this text`;

/** @throws Error with the wrong option. */
export function parseOptions(args: string[]): Options {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args,
    options: { streams: text, seconds: text, 'per-second': text, redis: text, help: { type: 'boolean' } },
  });
  return {
    streams: wholeNumber('streams', values.streams, 5_000),
    seconds: wholeNumber('seconds', values.seconds, 300),
    perSecond: wholeNumber('per-second', values['per-second'], 200),
    redisUrl: values.redis,
    help: values.help ?? false,
  };
}

function wholeNumber(name: string, text: string | undefined, otherwise: number): number {
  const value = text === undefined ? otherwise : Number(text);
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} takes a whole number of at least 1.`);
  return value;
}
