/**
 * Keeps `concurrency` pieces of work running for `milliseconds` and waits for the last ones. Both
 * sides of every comparison use this loop, so that it favours none.
 * @returns finished pieces of work per second.
 */
export async function throughput(
  concurrency: number,
  milliseconds: number,
  work: (worker: number) => Promise<unknown>,
): Promise<number> {
  const started = performance.now();
  const end = started + milliseconds;
  let finished = 0;
  const run = async (worker: number) => {
    while (performance.now() < end) {
      await work(worker);
      finished++;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, (_value, worker) => run(worker)));
  return (finished * 1000) / (performance.now() - started);
}
