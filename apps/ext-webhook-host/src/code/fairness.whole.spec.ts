import { deployCode } from '../testing/code-apps.js';
import { HostTest } from '../testing/host.js';
import { SandboxSupervisor } from './host/sandbox-supervisor.js';

let host: HostTest;
beforeAll(async () => {
  host = await HostTest.start();
});
afterAll(() => host.stop());

/** Durations in milliseconds, sorted. */
async function timesOf(calls: number, call: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let time = 0; time < calls; time++) {
    const began = performance.now();
    await call();
    times.push(performance.now() - began);
  }
  return times.sort((a, b) => a - b);
}
const quantile = (times: readonly number[], part: number): number => times[Math.floor((times.length - 1) * part)] ?? 0;

it('a loop and a memory bomb, called again and again, do not keep others waiting', async () => {
  const app = deployCode(host, 'export const f = async (event, ctx) => (await ctx.config.get("a"), 1)');
  const loop = deployCode(host, 'export const f = () => { for (;;); }');
  const bomb = deployCode(host, 'export const f = () => { const a = []; for (;;) a.push(new Array(1000).fill(1)) }');
  const call = async () => expect((await host.runFunction(app, { function: 'f' })).body.data).toBe(1);
  await timesOf(50, call);
  const quiet = await timesOf(300, call);
  const { pid } = await host.service.app.get(SandboxSupervisor).getProcess();
  let isOver = false;
  const codes = new Set<string | null>();
  let ended = 0;
  const noise = [loop, loop, loop, bomb, bomb, bomb].map(async (hostile) => {
    while (!isOver) {
      const { error_code } = (await host.runFunction(hostile, { function: 'f', timeout_ms: 3_000 })).body;
      codes.add(error_code);
      if (error_code !== 'RUNTIME_BUSY') ended++;
    }
  });
  const loud = await timesOf(1000, call);
  const endedMeanwhile = ended;
  isOver = true;
  await Promise.all(noise);
  const [before, during] = [quiet, loud].map((times) => [0.5, 0.99, 1].map((part) => quantile(times, part).toFixed(1)));
  process.stdout.write(
    `p50, p99, max of a neighbour in ms: quiet ${before?.join(' ')}, beside a loop and a bomb ${during?.join(' ')}\n`,
  );
  expect(
    [...codes].every((code) => ['CPU_LIMIT', 'MEMORY_LIMIT', 'TIMEOUT', 'RUNTIME_BUSY'].includes(code ?? '')),
  ).toBe(true);
  expect((await host.service.app.get(SandboxSupervisor).getProcess()).pid).toBe(pid);
  // If every call had waited until a hostile run was stopped, as many hostile runs as calls would
  // have ended.
  expect(endedMeanwhile).toBeLessThan(loud.length / 2);
}, 90_000);
