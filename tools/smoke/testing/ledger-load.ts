import { LedgerSealer, verifyLedger } from '@platform/billing';
import { Keyring } from '@platform/platform';
import { until } from '@platform/testing';
import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { resolve } from 'node:path';
import type { DataSource } from 'typeorm';
import type { OperationDone } from '../ledger-operations.js';

export const LEDGER_PROCESSES = 3;

/**
 * Runs ledger operations in several processes. A new process repeats operations that a killed one
 * has not answered.
 */
export class LedgerLoad {
  readonly done = new Map<number, OperationDone>();
  private readonly processes = new Map<ChildProcess, Set<number>>();
  private readonly failures: string[] = [];
  private isOver = false;

  private constructor(private readonly args: string[]) {}

  static async start(args: string[], operations: number): Promise<LedgerLoad> {
    const load = new LedgerLoad(args);
    const all = Array.from({ length: operations }, (_none, n) => n + 1);
    const share = Math.ceil(operations / LEDGER_PROCESSES);
    for (let n = 0; n < LEDGER_PROCESSES; n++) await load.open(all.slice(n * share, (n + 1) * share));
    return load;
  }

  /**
   * Kills the process with the most operations left, and starts another that continues with them.
   */
  async killOne(): Promise<void> {
    const [child, left] = [...this.processes].sort(([, one], [, other]) => other.size - one.size)[0] as [
      ChildProcess,
      Set<number>,
    ];
    child.kill('SIGKILL');
    await once(child, 'close');
    this.processes.delete(child);
    await this.open([...left]);
  }

  /** Waits until this many operations are done. */
  async reached(count: number): Promise<void> {
    await until(() => {
      expect(this.failures).toEqual([]);
      return this.done.size >= count;
    });
  }

  async stop(): Promise<void> {
    this.isOver = true;
    for (const child of this.processes.keys()) {
      child.kill('SIGKILL');
      await once(child, 'close');
    }
  }

  private async open(operations: number[]): Promise<void> {
    const child = fork(resolve('dist/tools/smoke/ledger-operations.js'), this.args, { silent: true, execArgv: [] });
    const left = new Set(operations);
    child.stderr?.on('data', (text: Buffer) => this.failures.push(text.toString()));
    child.once('exit', (code) => {
      if (code !== null && !this.isOver) this.failures.push(`A process ended with ${code}.`);
    });
    await once(child, 'message');
    this.processes.set(child, left);
    child.on('message', (one: OperationDone) => {
      left.delete(one.operation);
      this.done.set(one.operation, one);
    });
    child.send(operations);
  }
}

/**
 * Expects that each operation was made once or refused, and that the ledger is correct, also after
 * sealing.
 * @param keyring keys of the gateway, if one ran
 */
export async function expectSoundLedger(
  dataSource: DataSource,
  done: ReadonlyMap<number, OperationDone>,
  keyring = new Keyring(new Map([['k1', randomBytes(32)]])),
): Promise<void> {
  const entries = await dataSource.query<{ idem_key: string }[]>(
    "SELECT idem_key FROM ledger_entries WHERE idem_key LIKE 'operation:%'",
  );
  const keys = new Set(entries.map(({ idem_key: key }) => key));
  const answers = [...done.values()];
  expect(answers.flatMap(({ made }) => made).filter((key) => !keys.has(key))).toEqual([]);
  // A capture is refused after its reservation expired. An operation made before the kill must not
  // be refused after it.
  expect(answers.flatMap(({ refused }) => refused).filter((key) => keys.has(key))).toEqual([]);
  expect(keys.size).toBe(new Set(answers.flatMap(({ made }) => made)).size);
  const lines: string[] = [];
  const report = (line: string) => lines.push(line);
  const before = await verifyLedger(dataSource, { keyring, report });
  await new LedgerSealer(dataSource, keyring, { info: () => undefined }).seal();
  const after = await verifyLedger(dataSource, { keyring, report });
  expect(lines).toEqual([]);
  expect(before.entries).toBeGreaterThan(done.size / 3);
  expect(after).toMatchObject({ problems: 0, unsealed: 0 });
}
