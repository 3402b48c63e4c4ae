/** A side of a comparison: works for this time and returns its rate per second. */
export type Side = (milliseconds: number) => Promise<number>;

export interface Timing {
  rounds: number;
  sliceMs: number;
  /** Limit for each side; the warm-up ends earlier if the side no longer gets faster. */
  maxWarmUpMs: number;
}

/** Rates per second. */
export interface Round {
  baseline: number;
  subject: number;
}

export interface Summary {
  /** Median of the rounds' ratios, and the lowest and highest of them. */
  ratio: number;
  lowest: number;
  highest: number;
  /** Medians of the rates per second. */
  baseline: number;
  subject: number;
}

/**
 * With fewer slices, one lucky slice would end the warm-up long before V8 has compiled the
 * services. A shared machine also has slow periods.
 */
const SLICES_WITHOUT_GAIN = 10;
const GAIN = 0.03;

/**
 * Measures both sides in turns. A round is baseline, subject, subject, baseline; the next round has
 * the reverse order. So other load on the machine affects both sides equally, and a steady slowdown
 * cancels out. Both sides warm up first, without being counted.
 */
export async function interleave(sides: { baseline: Side; subject: Side }, timing: Timing): Promise<Round[]> {
  const { rounds, sliceMs } = timing;
  await warmUp(sides.baseline, timing);
  await warmUp(sides.subject, timing);
  const measured: Round[] = [];
  for (let round = 0; round < rounds; round++) {
    const result: Round = { baseline: 0, subject: 0 };
    const [outer, inner] = round % 2 ? (['subject', 'baseline'] as const) : (['baseline', 'subject'] as const);
    for (const side of [outer, inner, inner, outer]) result[side] += (await sides[side](sliceMs)) / 2;
    measured.push(result);
  }
  return measured;
}

/**
 * Works until the side gets no faster. V8 compiles frequent code, and a service that does much for
 * each request needs tens of thousands of requests, here half a minute, until everything is
 * compiled. A fixed time would favour the side with less code.
 */
async function warmUp(side: Side, { sliceMs, maxWarmUpMs }: Timing): Promise<void> {
  let best = 0;
  let withoutGain = 0;
  for (let passed = 0; passed < maxWarmUpMs && withoutGain < SLICES_WITHOUT_GAIN; passed += sliceMs) {
    const rate = await side(sliceMs);
    withoutGain = rate > best * (1 + GAIN) ? 0 : withoutGain + 1;
    best = Math.max(best, rate);
  }
}

export function summarise(rounds: readonly Round[]): Summary {
  const ratios = rounds.map(({ baseline, subject }) => subject / baseline);
  return {
    ratio: median(ratios),
    lowest: Math.min(...ratios),
    highest: Math.max(...ratios),
    baseline: median(rounds.map(({ baseline }) => baseline)),
    subject: median(rounds.map(({ subject }) => subject)),
  };
}

export function median(values: readonly number[]): number {
  if (!values.length) throw new RangeError('an empty list has no median');
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] as number;
  const lower = sorted[Math.floor((sorted.length - 1) / 2)] as number;
  return (lower + upper) / 2;
}
