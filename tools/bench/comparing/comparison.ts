import type { Context, Measurement, Result } from '../measurement.js';
import type { BenchPlatform } from '../platform/bench-platform.js';
import type { Sizes } from '../platform/size.js';
import { mark } from '../table.js';
import { interleave, summarise, type Side, type Summary } from './statistics.js';

/** Compares a path of a service with its minimum work, the baseline. */
export interface Comparison {
  subject: string;
  baseline: string;
  /** Ratio to the baseline that it has to reach. Null if the ratio is only reported. */
  bar: number | null;
  prepare(platform: BenchPlatform, gatewayUrl: string): Promise<Sides> | Sides;
}

export interface Sides {
  baseline: Side;
  subject: Side;
  /** Stops everything that `prepare` started. */
  stop?: () => unknown;
}

const TIMES: Sizes<{ sliceMs: number; maxWarmUpMs: number }> = {
  full: { sliceMs: 1_000, maxWarmUpMs: 60_000 },
  tiny: { sliceMs: 10, maxWarmUpMs: 10 },
};

const HEAD = ['', 'against', 'ratio', 'spread', 'bar', '', 'per second'];

export const measured = (comparison: Comparison): Measurement => ({
  title: `${comparison.subject} against ${comparison.baseline}`,
  async measure({ platform, rounds }: Context): Promise<Result> {
    const gateway = await platform.gateway();
    const { baseline, subject, stop } = await comparison.prepare(platform, gateway.url);
    try {
      return resultOf(
        comparison,
        summarise(await interleave({ baseline, subject }, { rounds, ...TIMES[platform.size] })),
      );
    } finally {
      await stop?.();
    }
  },
});

function resultOf({ subject, baseline, bar }: Comparison, summary: Summary): Result {
  const { ratio, lowest, highest } = summary;
  const isReached = ratio >= (bar ?? 0);
  const row = [
    subject,
    baseline,
    ratio.toFixed(2),
    `${lowest.toFixed(2)}–${highest.toFixed(2)}`,
    bar === null ? '' : `≥ ${bar.toFixed(2)}`,
    bar === null ? '' : mark(isReached),
    `${summary.subject.toFixed(0)} of ${summary.baseline.toFixed(0)}`,
  ];
  return {
    table: { head: HEAD, rows: [row] },
    isReached,
    figures: [ratio, lowest, highest, summary.subject, summary.baseline],
  };
}
