/** One side of a comparison: does its work for that long and says how often per second it got it done. */
export type Side = (milliseconds: number) => Promise<number>;

export interface Timing {
  rounds: number;
  sliceMs: number;
  /** Of one side; over earlier when it no longer gets faster. */
  maxWarmUpMs: number;
}

/** Per second. */
export interface Round {
  baseline: number;
  subject: number;
}

export interface Summary {
  /** The median of the rounds' own ratios, and the lowest and the highest of them. */
  ratio: number;
  lowest: number;
  highest: number;
  /** Medians, per second. */
  baseline: number;
  subject: number;
}

/** Fewer let one lucky slice end the warm-up long before V8 has compiled the services. A machine that others use too has slow stretches as well. */
const SLICES_WITHOUT_GAIN = 10;
const GAIN = 0.03;

/**
 * Measures both sides in turns: a round is baseline, subject, subject, baseline, the next one the other way round. So whatever else
 * slows the machine down meets both alike, and a slowdown that grows steadily cancels out. Before that both warm up, uncounted.
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
 * Works until it gets no faster. V8 compiles what runs often, and a service that does much for each request takes ten thousands of them,
 * here half a minute, until everything is compiled: a fixed time would favour whatever does little.
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
  if (!values.length) throw new RangeError('the median of nothing');
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] as number;
  const lower = sorted[Math.floor((sorted.length - 1) / 2)] as number;
  return (lower + upper) / 2;
}
