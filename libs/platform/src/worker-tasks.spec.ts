import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TaskEnded, WorkerTasks } from './worker-tasks.js';

// Below `dist`, where a service looks for the files of its threads.
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

let tasks: WorkerTasks;
afterEach(() => tasks.stop());
const open = (options = {}) => (tasks = new WorkerTasks({ file, ...options }));

/** Holds the thread until it is opened. */
function gate() {
  const shared = new SharedArrayBuffer(4);
  return {
    held: tasks.run<string>('holder', 'hold', { gate: shared }),
    open: () => {
      Atomics.store(new Int32Array(shared), 0, 1);
      Atomics.notify(new Int32Array(shared), 0);
    },
  };
}

describe('tasks in threads', () => {
  it('answer with what they return, or throw', async () => {
    open();
    expect(await tasks.run('ada', 'echo', { a: [1] })).toEqual({ a: [1] });
    await expect(tasks.run('ada', 'fail', null)).rejects.toThrow('no');
    expect(await tasks.run('ada', 'echo', 1)).toBe(1);
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
    open({ timeoutMs: 3_000, megabytes: 32 });
    await expect(tasks.run('ada', 'loop', null)).rejects.toMatchObject(new TaskEnded('time'));
    await expect(tasks.run('ada', 'eat', null)).rejects.toMatchObject({ name: 'TaskEnded' });
    expect(await tasks.run('bob', 'echo', 1)).toBe(1);
  });

  it('take turns by owner: one who has many waiting keeps nobody else waiting for all of them', async () => {
    open({ waitingPerOwner: 3 });
    const { held, open: release } = gate();
    const order: string[] = [];
    const run = (owner: string, task: string) => tasks.run(owner, 'echo', task).then(() => order.push(task));
    const waiting = [run('ada', 'a1'), run('ada', 'a2'), run('ada', 'a3')];
    await expect(tasks.run('ada', 'echo', 'a4')).rejects.toMatchObject({
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
    const waiting = ['ada', 'bob'].map((owner) => tasks.run(owner, 'echo', 1));
    await expect(tasks.run('eve', 'echo', 1)).rejects.toMatchObject({ status: 503 });
    release();
    await Promise.all([held, ...waiting]);
  });
});
