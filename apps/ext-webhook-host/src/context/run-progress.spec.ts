import type { CallResponse } from '@platform/contracts';
import { RUN_LIMITS } from '@platform/extension-sdk/runtime';
import { until } from '@platform/testing';
import { deployCode } from '../testing/code-apps.js';
import { HostTest } from '../testing/host.js';

let host: HostTest;
beforeAll(async () => (host = await HostTest.start()));
afterEach(() => {
  jest.restoreAllMocks();
  host.gateway.progress.length = 0;
  host.gateway.isCancelled = () => false;
});
afterAll(() => host.stop());

async function run(body: string, { is_task = true } = {}): Promise<CallResponse> {
  const app = deployCode(host, `export async function f(event, ctx) { ${body} }`);
  return (await host.runFunction(app, { function: 'f', timeout_ms: 80_000, ...(is_task && { is_task }) })).body;
}
const PAUSE = 'const pause = (ms) => new Promise((done) => setTimeout(done, ms));';

it('is told at once, then once a second what was said last', async () => {
  const running = run(`${PAUSE}
    await ctx.progress(0.4, 'Reading\\u0000 a\\u202e' + 'x'.repeat(600));
    for (let n = 1; n <= 10; n++) await ctx.progress(n);
    await pause(2000);
    await ctx.progress(50, 'Writing');
    return 'done';`);
  await until(() => host.gateway.progress.length === 2);
  const clock = jest.spyOn(performance, 'now').mockReturnValue(0); // the run ends within the second
  const answer = await running;
  clock.mockRestore();
  expect(answer).toMatchObject({ status: 'success', data: 'done' });
  expect(host.gateway.progress).toEqual([{ percent: 0, message: `Reading  a ${'x'.repeat(489)}` }, { percent: 10 }]);
});

it('raises once the task was cancelled, and goes on raising', async () => {
  host.gateway.isCancelled = () => host.gateway.progress.length >= 2;
  const answer = await run(`${PAUSE}
    const raised = [];
    for (let n = 0; n < 40 && raised.length < 2; n++) {
      await pause(50);
      await ctx.progress(n).catch(({ code }) => raised.push(code));
    }
    await ctx.progress(99);`);
  expect(answer).toMatchObject({ status: 'error', error_code: 'TASK_CANCELLED' });
  expect(host.gateway.progress).toHaveLength(2);
});

it('is seen nowhere of a run for which somebody waits', async () => {
  expect(await run('await ctx.progress(50); return 1;', { is_task: false })).toMatchObject({ status: 'success' });
  expect(host.gateway.progress).toEqual([]);
});

it('ends no run because nobody can be told', async () => {
  const other = await HostTest.start(); // after an outage a host sends the gateway no requests for some seconds
  const app = deployCode(other, 'export async function f(event, ctx) { await ctx.progress(50); return 1; }');
  expect((await other.runFunction(app, { function: 'f' })).body.status).toBe('success');
  other.gateway.isAway = true;
  expect((await other.runFunction(app, { function: 'f', is_task: true })).body).toMatchObject({
    status: 'success',
    data: 1,
  });
  await other.stop();
});

it('a task may take longer than what somebody waits for', async () => {
  jest.replaceProperty(RUN_LIMITS.function, 'seconds', 1);
  const body = `${PAUSE} await pause(2_500); return 'slow';`;
  expect(await run(body, { is_task: false })).toMatchObject({ error_code: 'TIMEOUT' });
  expect(await run(body)).toMatchObject({ status: 'success', data: 'slow' });
});
