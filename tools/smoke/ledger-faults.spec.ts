import { verifyLedger, Wallets, Ledger, LedgerSealer } from '@platform/billing';
import { createDataSource, EmbeddedPostgres } from '@platform/persistence';
import { Keyring } from '@platform/platform';
import { createTestDatabase, until } from '@platform/testing';
import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { DataSource } from 'typeorm';
import type { OperationDone } from './ledger-operations.js';
import { freePorts, ServiceProcess } from './service-process.js';

/** `LEDGER_OPERATIONS=100000 LEDGER_KILLS=40` is the whole of fault 17, a few minutes. */
const OPERATIONS = Number(process.env['LEDGER_OPERATIONS'] ?? 3_000);
const KILLS = Number(process.env['LEDGER_KILLS'] ?? 3);
const PROCESSES = 3;
const WALLETS = 20;
const DEVELOPERS = 3;
const WHOLE_MS = Math.max(240_000, OPERATIONS * 60);

/** Operations in several processes. What a process that dies has not answered another one makes again. */
class Load {
  readonly done = new Map<number, OperationDone>();
  private readonly processes = new Map<ChildProcess, Set<number>>();
  private readonly failures: string[] = [];
  private isOver = false;

  private constructor(private readonly args: string[]) {}

  static async start(args: string[], operations: number): Promise<Load> {
    const load = new Load(args);
    const all = Array.from({ length: operations }, (_none, n) => n + 1);
    const share = Math.ceil(operations / PROCESSES);
    for (let n = 0; n < PROCESSES; n++) await load.open(all.slice(n * share, (n + 1) * share));
    return load;
  }

  /** Dies without another word, and is followed by one that goes on. */
  async killOne(): Promise<void> {
    const [child, left] = [...this.processes].sort(([, one], [, other]) => other.size - one.size)[0] as [ChildProcess, Set<number>];
    child.kill('SIGKILL');
    await once(child, 'close');
    this.processes.delete(child);
    await this.open([...left]);
  }

  /** Resolves when so many are done. */
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

async function fill(dataSource: DataSource): Promise<{ wallets: string[]; earnings: string[] }> {
  const wallets = new Wallets(dataSource, new Ledger(dataSource));
  const user = async (name: string) => {
    await dataSource.query(
      "INSERT INTO users (id, tenant_id, email, email_canonical) VALUES ($1, 'default', $1 || '@example.com', $1 || '@example.com')",
      [name],
    );
    return name;
  };
  const ids: string[] = [];
  for (let n = 0; n < WALLETS; n++) ids.push(await wallets.ensure(await user(`usr_${n}`)));
  const earnings: string[] = [];
  for (let n = 0; n < DEVELOPERS; n++) {
    const developer = await user(`usr_dev${n}`);
    earnings.push(`${developer}:${await wallets.ensure(developer, 'earnings')}`);
  }
  return { wallets: ids, earnings };
}

/** Every operation is made once or was refused, and the ledger adds up, also under seals. */
async function expectSound(dataSource: DataSource, done: ReadonlyMap<number, OperationDone>): Promise<void> {
  const entries = await dataSource.query<{ idem_key: string }[]>("SELECT idem_key FROM ledger_entries WHERE idem_key LIKE 'operation:%'");
  const keys = new Set(entries.map(({ idem_key: key }) => key));
  const answers = [...done.values()];
  expect(answers.flatMap(({ made }) => made).filter((key) => !keys.has(key))).toEqual([]);
  // Settling is refused when the hold has expired; what was made before the kill is not refused after it.
  expect(answers.flatMap(({ refused }) => refused).filter((key) => keys.has(key))).toEqual([]);
  expect(keys.size).toBe(new Set(answers.flatMap(({ made }) => made)).size);
  const keyring = new Keyring(new Map([['k1', randomBytes(32)]]));
  const lines: string[] = [];
  const report = (line: string) => lines.push(line);
  const before = await verifyLedger(dataSource, { keyring, report });
  await new LedgerSealer(dataSource, keyring, { info: () => undefined }).seal();
  const after = await verifyLedger(dataSource, { keyring, report });
  expect(lines).toEqual([]);
  expect(before.entries).toBeGreaterThan(done.size / 3);
  expect(after).toMatchObject({ problems: 0, unsealed: 0 });
}

const outcomes = (done: ReadonlyMap<number, OperationDone>): string[] => [...new Set([...done.values()].map(({ outcome }) => outcome))];

it(
  `fault 17: ${OPERATIONS} operations in ${PROCESSES} processes, of which ${KILLS} are killed meanwhile, leave a ledger that adds up`,
  async () => {
    const database = await createTestDatabase();
    const dataSource = await createDataSource({
      url: database.url,
      schema: 'gateway',
      poolSize: 4,
      entities: [],
      migrations: [],
    }).initialize();
    const { wallets, earnings } = await fill(dataSource);
    const load = await Load.start([database.url, wallets.join(), earnings.join()], OPERATIONS);
    try {
      for (let kill = 1; kill <= KILLS; kill++) {
        await load.reached(Math.floor((OPERATIONS * kill) / (KILLS + 1)));
        await load.killOne();
      }
      await load.reached(OPERATIONS);
      expect(outcomes(load.done)).toEqual(expect.arrayContaining(['done', 'insufficient']));
      await expectSound(dataSource, load.done);
    } finally {
      await load.stop();
      await dataSource.destroy();
      await database.drop();
    }
  },
  WHOLE_MS,
);

describe('fault 20: a PostgreSQL that is restarted during load', () => {
  const folder = mkdtempSync(join(tmpdir(), 'platform-ledger-'));
  const operations = Math.min(OPERATIONS, 3_000);
  let server: EmbeddedPostgres;
  let port: number;

  beforeAll(async () => {
    [port = 0] = await freePorts(1);
    server = await EmbeddedPostgres.start({ directory: join(folder, 'postgres'), port });
    await server.ensureDatabase('platform');
    expect(await ServiceProcess.run('tools/migrate.js', { DATABASE_URL: server.url('platform') })).toBe(0);
  }, 120_000);
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** With the signal that PostgreSQL takes for it, and again on the same port. */
  async function restart(signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
    process.kill(server.pid as number, signal);
    server = await EmbeddedPostgres.start({ directory: join(folder, 'postgres'), port });
  }

  it(
    'fast and immediate: no effect is lost or there twice, and the processes go on by themselves',
    async () => {
      const url = server.url('platform');
      const connect = () => createDataSource({ url, schema: 'gateway', poolSize: 2, entities: [], migrations: [] }).initialize();
      const before = await connect();
      const { wallets, earnings } = await fill(before);
      await before.destroy();
      const load = await Load.start([url, wallets.join(), earnings.join()], operations);
      try {
        await load.reached(operations / 4);
        await restart('SIGINT');
        await load.reached(operations / 2);
        await restart('SIGQUIT');
        await load.reached(operations);
      } finally {
        await load.stop();
      }
      const dataSource = await connect();
      await expectSound(dataSource, load.done);
      await dataSource.destroy();
    },
    WHOLE_MS,
  );
});
