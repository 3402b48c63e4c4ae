import { setTimeout as delay } from 'node:timers/promises';
import type { Context, Measurement, Result } from './measurement.js';
import { joined, mark, tableText, type Table } from './table.js';

/** Longer than any measurement takes on a slow machine. */
const LONGEST_MS = 20 * 60_000;

/** A finished measurement, successful or not. */
export interface Ended {
  title: string;
  seconds: number;
  /** The result, or the reason of the failure. */
  outcome: Result | string;
  /** True if it ran before and missed a bar. */
  isAgain: boolean;
}

/**
 * Runs the measurements one after the other and prints each when it ends. A failure or a timeout
 * does not stop the others. Measurements that missed a bar run again at the end, since a machine
 * can be slow for some minutes. Both results stay in the summary.
 * @param ended receives each result at once, so that the caller can print a summary before the end
 */
export async function runAll(
  measurements: readonly Measurement[],
  context: Context,
  print: (text: string) => void,
  ended: Ended[] = [],
  longestMs = LONGEST_MS,
): Promise<Ended[]> {
  const measureAll = async (some: readonly Measurement[], isAgain: boolean): Promise<void> => {
    for (const measurement of some) {
      const title = isAgain ? `${measurement.title}, again` : measurement.title;
      context.progress(title);
      const started = performance.now();
      const outcome = await orReason(withinTime(measurement.measure(context), longestMs));
      const seconds = (performance.now() - started) / 1_000;
      const cleared = await orReason(context.platform.clear().then(() => ''));
      if (cleared) print(`Services of "${title}" did not stop: ${cleared}`);
      const one = { title: measurement.title, seconds, outcome, isAgain };
      ended.push(one);
      context.progress('');
      print(`${markOf(one)} ${title} (${seconds.toFixed(1)} s)\n${textOf(outcome)}\n`);
    }
  };
  await measureAll(measurements, false);
  const missed = new Set(ended.filter((one) => !hasFailed(one) && !hasReachedBars(one)).map(({ title }) => title));
  await measureAll(
    measurements.filter(({ title }) => missed.has(title)),
    true,
  );
  return ended;
}

/** Summary of all tables, texts and outcomes, including failures. */
export function summaryOf(ended: readonly Ended[]): string {
  const results = ended.flatMap(({ outcome }) => (typeof outcome === 'string' ? [] : [outcome]));
  const tables = joined(results.flatMap(({ table }) => (table ? [table] : [])));
  const texts = results.flatMap(({ text }) => (text === undefined ? [] : [text]));
  return [...tables.map(tableText), ...texts, tableText(outcomeTable(ended))].join('\n\n');
}

const hasFailed = ({ outcome }: Ended): boolean => typeof outcome === 'string';
const hasReachedBars = ({ outcome }: Ended): boolean => typeof outcome !== 'string' && outcome.isReached;

/**
 * Without `strict`, a missed bar is only printed. With it, a bar missed twice gives exit code 1.
 */
export const exitCodeOf = (ended: readonly Ended[], strict: boolean): 0 | 1 =>
  ended.some(hasFailed) || (strict && ended.some((one) => one.isAgain && !hasReachedBars(one))) ? 1 : 0;

const outcomeTable = (ended: readonly Ended[]): Table => ({
  head: ['measured', 'took', '', ''],
  rows: ended.map((one) => [
    one.isAgain ? `${one.title}, again` : one.title,
    `${one.seconds.toFixed(1)} s`,
    markOf(one),
    typeof one.outcome === 'string'
      ? `failed: ${one.outcome.split('\n')[0] ?? ''}`
      : one.outcome.isReached
        ? ''
        : 'a bar was missed',
  ]),
});

const markOf = (one: Ended): string => mark(hasReachedBars(one));

const textOf = (outcome: Ended['outcome']): string =>
  typeof outcome === 'string'
    ? `failed: ${outcome}`
    : [...(outcome.table ? [tableText(outcome.table)] : []), ...(outcome.text ? [outcome.text] : [])].join('\n');

async function orReason<T>(work: Promise<T>): Promise<T | string> {
  try {
    return await work;
  } catch (error) {
    return error instanceof Error ? error.message || error.name : String(error);
  }
}

async function withinTime<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  const timer = new AbortController();
  const late = delay(milliseconds, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`The measurement did not end within ${milliseconds / 60_000} minutes.`);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    late.catch(() => undefined);
    timer.abort();
  }
}
