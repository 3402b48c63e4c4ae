import { Client } from 'pg';
import { until } from './until.js';

/** Where a database is, such as that of a `TestService`. */
export interface OnDatabase {
  env: NodeJS.ProcessEnv;
}

/** A transaction of the test's own, which makes those of the service wait and so decides the order in which they get what they want. */
export class HeldLock {
  private constructor(private readonly client: Client) {}

  /** `statement` takes the lock. */
  static async take({ env }: OnDatabase, statement: string, parameters: unknown[] = [], schema = 'gateway'): Promise<HeldLock> {
    const client = new Client({ connectionString: env['DATABASE_URL'], options: `-c search_path=${schema}` });
    await client.connect();
    await client.query('BEGIN');
    await client.query(statement, parameters);
    return new HeldLock(client);
  }

  /** Resolves when at least this many statements wait for this lock, or for a statement that waits for it. A job of the service, or a retry, may be among them. */
  async waiting(count: number): Promise<void> {
    await until(async () => (await this.behind()) >= count);
  }

  private async behind(): Promise<number> {
    // Without jobs that tell users of what was before, and wait for a user who is locked. In a transaction PostgreSQL goes on showing the sessions that there were at the first look.
    await this.client.query('SELECT pg_stat_clear_snapshot()');
    const { rows } = await this.client.query<{ count: number }>(
      `WITH RECURSIVE waiting AS (SELECT pid, pg_blocking_pids(pid) AS blocked_by FROM pg_stat_activity WHERE datname = current_database()),
       behind AS (
         SELECT pid FROM waiting WHERE pg_backend_pid() = ANY (blocked_by)
         UNION SELECT waiting.pid FROM waiting JOIN behind ON behind.pid = ANY (blocked_by))
       SELECT count(*)::int FROM behind JOIN pg_stat_activity USING (pid) WHERE query NOT LIKE '%INTO platform_events%'`,
    );
    return rows[0]?.count ?? 0;
  }

  /** What is done in its transaction. */
  async run(statement: string, parameters: unknown[] = []): Promise<void> {
    await this.client.query(statement, parameters);
  }

  async release(): Promise<void> {
    await this.client.query('COMMIT');
    await this.client.end();
  }
}
