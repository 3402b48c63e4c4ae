import { parseArgs } from 'node:util';

export interface Options {
  streams: number;
  seconds: number;
  perSecond: number;
  redisUrl: string | undefined;
  help: boolean;
}

export const HELP = `Usage: npm run streams -- [options]

Has many clients follow events at one process of the gateway, some of whom never read, kills the process, and has them go on at another one. Says what memory a
stream takes, and whether each client got each of its events once and in order. Needs twice as many open files as streams (ulimit -n), and about ten minutes.

  --streams N      5000 unless said; one in twenty never reads
  --seconds N      how long events are published before the process is killed; 300 unless said
  --per-second N   events of random users; 200 unless said
  --redis URL      with Redis; on PostgreSQL alone unless said
  --help           this text`;

/** @throws Error that says which option is wrong. */
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
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} takes a whole number from 1 on.`);
  return value;
}
