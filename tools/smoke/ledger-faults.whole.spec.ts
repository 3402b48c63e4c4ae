import { LedgerService, WalletsRepository } from '@platform/billing';
import { createDataSource } from '@platform/persistence';
import { createTestDatabase } from '@platform/testing';
import type { DataSource } from 'typeorm';
import { expectSoundLedger, LEDGER_PROCESSES, LedgerLoad } from './testing/ledger-load.js';
import { RestartablePostgres } from './testing/restartable-postgres.js';
import type { OperationDone } from './ledger-operations.js';

/** Full run of fault 17, a few minutes: `LEDGER_OPERATIONS=100000 LEDGER_KILLS=40`. */
const OPERATIONS = Number(process.env['LEDGER_OPERATIONS'] ?? 1_500);
const KILLS = Number(process.env['LEDGER_KILLS'] ?? 3);
const WALLETS = 20;
const DEVELOPERS = 3;
const WHOLE_MS = Math.max(240_000, OPERATIONS * 60);

async function fill(dataSource: DataSource): Promise<{ wallets: string[]; earnings: string[] }> {
  const wallets = new WalletsRepository(dataSource, new LedgerService(dataSource));
  const user = async (name: string) => {
    await dataSource.query(
      "INSERT INTO users (id, tenant_id, email, email_canonical) VALUES ($1, 'default', $1 || '@example.com', $1 || '@example.com')",
      [name],
    );
    return name;
  };
  const ids: string[] = [];
  for (let n = 0; n < WALLETS; n++) ids.push(await wallets.ensureWallet(await user(`usr_${n}`)));
  const earnings: string[] = [];
  for (let n = 0; n < DEVELOPERS; n++) {
    const developer = await user(`usr_dev${n}`);
    earnings.push(`${developer}:${await wallets.ensureWallet(developer, 'earnings')}`);
  }
  return { wallets: ids, earnings };
}

const outcomes = (done: ReadonlyMap<number, OperationDone>): string[] => [
  ...new Set([...done.values()].map(({ outcome }) => outcome)),
];

it(
  `fault 17: ${OPERATIONS} operations in ${LEDGER_PROCESSES} processes, of which ${KILLS} are killed meanwhile, leave a ledger that adds up`,
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
    const load = await LedgerLoad.start([database.url, wallets.join(), earnings.join()], OPERATIONS);
    try {
      for (let kill = 1; kill <= KILLS; kill++) {
        await load.reached(Math.floor((OPERATIONS * kill) / (KILLS + 1)));
        await load.killOne();
      }
      await load.reached(OPERATIONS);
      expect(outcomes(load.done)).toEqual(expect.arrayContaining(['done', 'insufficient']));
      await expectSoundLedger(dataSource, load.done);
    } finally {
      await load.stop();
      await dataSource.destroy();
      await database.drop();
    }
  },
  WHOLE_MS,
);

describe('fault 20: a PostgreSQL that is restarted during load', () => {
  const operations = Math.min(OPERATIONS, 3_000);
  let server: RestartablePostgres;
  beforeAll(async () => {
    server = await RestartablePostgres.start();
  }, 120_000);
  afterAll(() => server.stop());

  it(
    'fast and immediate: no effect is lost or there twice, and the processes go on by themselves',
    async () => {
      const { url } = server;
      const connect = () =>
        createDataSource({ url, schema: 'gateway', poolSize: 2, entities: [], migrations: [] }).initialize();
      const before = await connect();
      const { wallets, earnings } = await fill(before);
      await before.destroy();
      const load = await LedgerLoad.start([url, wallets.join(), earnings.join()], operations);
      try {
        await load.reached(operations / 4);
        await server.restart('SIGINT');
        await load.reached(operations / 2);
        await server.restart('SIGQUIT');
        await load.reached(operations);
      } finally {
        await load.stop();
      }
      const dataSource = await connect();
      await expectSoundLedger(dataSource, load.done);
      await dataSource.destroy();
    },
    WHOLE_MS,
  );
});
