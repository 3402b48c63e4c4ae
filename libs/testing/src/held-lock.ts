import { Client } from 'pg';
import { until } from './until.js';

/** Environment of a database, such as the one of a `TestService`. */
export interface DatabaseEnvironment {
  env: NodeJS.ProcessEnv;
}

/**
 * A transaction of the test that holds a lock, so that statements of the service wait for it.
 * Tests use it to control the order of statements.
 */
export class HeldLock {
  private constructor(private readonly client: Client) {}

  /**
   * Begins a transaction on the database and takes the lock by running `statement` in it. Waits if
   * another transaction has the lock.
   */
  static async acquire(
    { env }: DatabaseEnvironment,
    statement: string,
    parameters: unknown[] = [],
    schema = 'gateway',
  ): Promise<HeldLock> {
    const client = new Client({ connectionString: env['DATABASE_URL'], options: `-c search_path=${schema}` });
    await client.connect();
    await client.query('BEGIN');
    await client.query(statement, parameters);
    return new HeldLock(client);
  }

  /**
   * Resolves when at least `count` statements wait for this lock, directly or behind another
   * waiting statement. Jobs and retries of the service count, too.
   *
   * @throws Error if they do not come within the time of `until`.
   */
  async waitForBlocked(count: number): Promise<void> {
    await until(async () => (await this.countBlocked()) >= count);
  }

  private async countBlocked(): Promise<number> {
    // Ignores jobs that publish events, which can wait for a locked user. In a transaction
    // PostgreSQL caches the list of sessions, so clear the snapshot.
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

  /** Runs a statement in the transaction of the lock. */
  async runStatement(statement: string, parameters: unknown[] = []): Promise<void> {
    await this.client.query(statement, parameters);
  }

  async release(): Promise<void> {
    await this.client.query('COMMIT');
    await this.client.end();
  }
}
