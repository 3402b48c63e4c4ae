import { until } from '@platform/testing';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunFile } from './context.js';
import { ManagedProcess } from './managed-process.js';
import { StartError } from './start-error.js';

let directory: string;
let running: Map<number, string>;
let reports: string[];
let started: ManagedProcess[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'managed-process-'));
  [running, reports, started] = [new Map(), [], []];
});

afterEach(async () => {
  await Promise.all(started.map((process) => process.stop(0)));
  rmSync(directory, { recursive: true });
});

/** A process that runs `code`. `givenUp` resolves when it is not restarted any more. */
function manage(code: string): { process: ManagedProcess; givenUp: Promise<unknown> } {
  const script = join(directory, 'script.cjs');
  writeFileSync(script, code);
  const runFile: RunFile = {
    add: (pid, command) => running.set(pid, command),
    remove: (pid) => running.delete(pid),
    announce: () => undefined,
  };
  let giveUp: (error: unknown) => void = () => undefined;
  const givenUp = new Promise<unknown>((done) => (giveUp = done));
  const events = { report: (text: string) => reports.push(text), giveUp };
  const definition = { name: 'sample', script, env: process.env, logFile: join(directory, 'logs', 'sample.log') };
  const managed = new ManagedProcess(definition, directory, runFile, events);
  started.push(managed);
  return { process: managed, givenUp };
}

const LISTENS = 'process.send({ listening: 1 }); setInterval(() => {}, 1000);';

it('is started when it listens, and gone when it is stopped', async () => {
  const { process: sample } = manage(LISTENS);
  await sample.start();
  expect([...running.values()]).toEqual([join(directory, 'script.cjs')]);
  await sample.stop(5000);
  expect(running.size).toBe(0);
  expect(reports).toEqual([]);
});

it('tells in its own words why it does not start', async () => {
  const { process: sample } = manage(
    `console.log('{"level":30}'); console.error('SECRET is required'); process.exit(1)`,
  );
  await expect(sample.start()).rejects.toThrow(new StartError('sample did not start: SECRET is required'));
});

it('comes back after it was killed', async () => {
  const { process: sample } = manage(LISTENS);
  await sample.start();
  const [first] = running.keys();
  process.kill(first ?? 0, 'SIGKILL');
  await until(() => reports.length === 2);
  expect(reports).toEqual(['sample ended (SIGKILL); restarting it', 'sample is up again']);
  expect([...running.keys()]).not.toContain(first);
});

it('is given up when it keeps ending', async () => {
  const { process: sample, givenUp } = manage(
    `${LISTENS} setTimeout(() => { console.error('no more'); process.exit(3) }, 20)`,
  );
  await sample.start();
  expect(await givenUp).toEqual(new StartError('sample keeps ending (exit code 3): no more'));
  expect(running.size).toBe(0);
});

it('stays away when it is stopped while it is about to come back', async () => {
  const { process: sample } = manage(LISTENS);
  await sample.start();
  process.kill([...running.keys()][0] ?? 0, 'SIGKILL');
  await until(() => reports.length === 1);
  await sample.stop(0);
  // The pause of the other process begins later: when it is back, the pause of the first has
  // ended.
  const { process: other } = manage(LISTENS);
  await other.start();
  process.kill([...running.keys()][0] ?? 0, 'SIGKILL');
  await until(() => reports.length === 3);
  expect(running.size).toBe(1);
  await other.stop(5_000);
  expect(running.size).toBe(0);
});

it('ends one that ignores SIGTERM when its time is over', async () => {
  const { process: sample } = manage(`process.on('SIGTERM', () => {}); ${LISTENS}`);
  await sample.start();
  await sample.stop(300);
  expect(running.size).toBe(0);
});
