import { createDataSource } from '@platform/persistence';
import { newId } from '@platform/platform';
import { createTestDatabase } from '@platform/testing';
import type { DataSource } from 'typeorm';

const NO_LIMITS = { statement_timeout: 0, idle_in_transaction_session_timeout: 0, query_timeout: 0 };

/** The gateway's database with the tables of billing, and users for tests. */
export class BillingDatabase {
  private readonly others: DataSource[] = [];

  private constructor(
    readonly dataSource: DataSource,
    /** Environment of a service that uses this database. */
    readonly env: { DATABASE_URL: string },
    private readonly connect: (isPatient?: boolean) => Promise<DataSource>,
    private readonly drop: () => Promise<void>,
  ) {}

  static async start(): Promise<BillingDatabase> {
    const { url, drop } = await createTestDatabase();
    const connect = (isPatient = false) => {
      const dataSource = createDataSource({ url, schema: 'gateway', poolSize: 10, entities: [], migrations: [] });
      const { extra } = dataSource.options as { extra: object };
      return (isPatient ? dataSource.setOptions({ extra: { ...extra, ...NO_LIMITS } }) : dataSource).initialize();
    };
    return new BillingDatabase(await connect(), { DATABASE_URL: url }, connect, drop);
  }

  /**
   * Opens connections like a separate process does. @param isPatient true to disable all timeouts,
   * also inside a transaction.
   */
  async connectSeparately({ isPatient = false } = {}): Promise<DataSource> {
    const other = await this.connect(isPatient);
    this.others.push(other);
    return other;
  }

  query<Row = Record<string, unknown>>(sql: string, values: unknown[] = []): Promise<Row[]> {
    return this.dataSource.query<Row[]>(sql, values);
  }

  async createUser({ role = 'user', erased = false } = {}): Promise<string> {
    const id = newId('usr');
    await this.query(
      `INSERT INTO users (id, tenant_id, email, email_canonical, role, erased_at)
       VALUES ($1, 'default', $1, $1, $2, CASE WHEN $3 THEN now() END)`,
      [id, role, erased],
    );
    return id;
  }

  /** Sets the billing time. */
  async setTime(moment: string): Promise<void> {
    await this.query('UPDATE billing_clock SET ahead = $1::timestamptz - now()', [moment]);
  }

  async stop(): Promise<void> {
    for (const each of [this.dataSource, ...this.others]) await each.destroy();
    await this.drop();
  }
}
