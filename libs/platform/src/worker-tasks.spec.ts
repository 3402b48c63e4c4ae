import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Cancellation } from './speed/cancellation.js';
import { TaskEnded, WorkerTasks } from './worker-tasks.js';

// Inside `dist`, where services look for their thread files.
const dist = join(dirname(fileURLToPath(import.meta.url)), '../../../dist');
let folder: string;
let file: string;
beforeAll(() => {
  mkdirSync(dist, { recursive: true });
  folder = mkdtempSync(join(dist, 'worker-tasks-'));
  file = join(folder, 'tasks.cjs').slice(dist.length + 1);
  writeFileSync(
    join(dist, file),
    `exports.echo = (task) => task;
     exports.fail = () => { throw new TypeError('no'); };
     exports.loop = () => { for (;;); };
     exports.eat = () => { const kept = []; for (;;) kept.push(new Array(1000).fill({})); };
     exports.hold = ({ gate }) => { Atomics.wait(new Int32Array(gate), 0, 0); return 'held'; };`,
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Time limit that no task reaches on a slow machine. */
const LIMIT_MS = 80_000;
let tasks: WorkerTasks;
afterEach(() => tasks.stop());
const open = (options = {}) => (tasks = new WorkerTasks({ file, timeoutMs: LIMIT_MS, ...options }));

/** Blocks the thread until it is opened. */
function gate() {
  const shared = new SharedArrayBuffer(4);
  return {
    held: tasks.runTask<string>('holder', 'hold', { gate: shared }),
    open: () => {
      Atomics.store(new Int32Array(shared), 0, 1);
      Atomics.notify(new Int32Array(shared), 0);
    },
  };
}

describe('tasks in threads', () => {
  it('answer with what they return, or throw', async () => {
    open();
    expect(await tasks.runTask('ada', 'echo', { a: [1] })).toEqual({ a: [1] });
    await expect(tasks.runTask('ada', 'fail', null)).rejects.toThrow('no');
    expect(await tasks.runTask('ada', 'echo', 1)).toBe(1);
  });

  it('leave the event loop free while they compute', async () => {
    open();
    const { held, open: release } = gate();
    const turns = await new Promise<number>((resolve) => {
      let count = 0;
      const turn = (): void => {
        if (++count === 100) resolve(count);
        else setImmediate(turn);
      };
      turn();
    });
    expect(turns).toBe(100);
    release();
    expect(await held).toBe('held');
  });

  it('are ended when they take too long or too much memory, and the next ones run', async () => {
    open({ megabytes: 32 });
    jest.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(AbortSignal.timeout(3_000)); // only for the first task
    await expect(tasks.runTask('ada', 'loop', null)).rejects.toMatchObject(new TaskEnded('time'));
    await expect(tasks.runTask('ada', 'eat', null)).rejects.toMatchObject({ name: 'TaskEnded' });
    expect(await tasks.runTask('bob', 'echo', 1)).toBe(1);
  });

  it('take turns by owner: one who has many waiting keeps nobody else waiting for all of them', async () => {
    open({ waitingPerOwner: 3 });
    const { held, open: release } = gate();
    const order: string[] = [];
    const run = (owner: string, task: string) => tasks.runTask(owner, 'echo', task).then(() => order.push(task));
    const waiting = [run('ada', 'a1'), run('ada', 'a2'), run('ada', 'a3')];
    await expect(tasks.runTask('ada', 'echo', 'a4')).rejects.toMatchObject({
      status: 429,
      code: 'too_much_waiting',
      options: { headers: { 'Retry-After': expect.any(String) } },
    });
    waiting.push(run('bob', 'b1'));
    release();
    await Promise.all([held, ...waiting]);
    expect(order).toEqual(['a1', 'b1', 'a2', 'a3']);
  });

  it('are refused when too many wait', async () => {
    open({ waiting: 2 });
    const { held, open: release } = gate();
    const waiting = ['ada', 'bob'].map((owner) => tasks.runTask(owner, 'echo', 1));
    await expect(tasks.runTask('eve', 'echo', 1)).rejects.toMatchObject({ status: 503 });
    release();
    await Promise.all([held, ...waiting]);
  });

  it('make room for those of others: who has most waiting loses the newest', async () => {
    open({ waiting: 3 });
    const { held, open: release } = gate();
    const [first, second, third] = [1, 2, 3].map((task) => tasks.runTask('ada', 'echo', task));
    const dropped = expect(third).rejects.toMatchObject({ status: 429, code: 'too_much_waiting' });
    const other = tasks.runTask('bob', 'echo', 'b');
    await dropped;
    release();
    expect(await Promise.all([held, first, second, other])).toEqual(['held', 1, 2, 'b']);
  });

  it('of an owner who has used less come first', async () => {
    open();
    const order: string[] = [];
    const run = (owner: string, task: string) => tasks.runTask(owner, 'echo', task).then(() => order.push(task));
    // The task that blocks the thread uses 300 ms, the others none.
    const time = jest.spyOn(performance, 'now').mockReturnValueOnce(0).mockReturnValue(300);
    const { held, open: release } = gate();
    const first = [run('ada', 'a1')];
    const more = [run('holder', 'h1'), run('holder', 'h2'), run('ada', 'a2'), run('bob', 'b1')];
    release();
    await Promise.all([held, ...first, ...more]);
    time.mockRestore();
    expect(order.slice(-2)).toEqual(['h1', 'h2']);
  });

  it('are dropped when their caller is gone before their turn, and make room', async () => {
    open({ waitingPerOwner: 1 });
    const { held, open: release } = gate();
    const gone = new Cancellation();
    const dropped = expect(tasks.runTask('ada', 'echo', 1, { signal: gone })).rejects.toThrow('gone');
    gone.abort(new Error('gone'));
    await dropped;
    const next = tasks.runTask('ada', 'echo', 2);
    release();
    expect(await Promise.all([held, next])).toEqual(['held', 2]);
    await expect(tasks.runTask('ada', 'echo', 3, { signal: gone })).rejects.toThrow('gone');
  });

  it('of a queue of their own wait outside of what may wait', async () => {
    open({ waiting: 1, waitingPerOwner: 1 });
    const { held, open: release } = gate();
    const unbounded = [1, 2, 3].map((task) => tasks.runTask('deploys', 'echo', task, { isUnbounded: true }));
    const other = tasks.runTask('ada', 'echo', 'a');
    await expect(tasks.runTask('eve', 'echo', 'e')).rejects.toMatchObject({ status: 503 });
    release();
    expect(await Promise.all([held, ...unbounded, other])).toEqual(['held', 1, 2, 3, 'a']);
  });
});
