import { until, type TestService } from '@platform/testing';
import { Client } from 'pg';

/** A transaction of the test's own, which makes those of the service wait and so decides the order in which they get what they want. */
export class HeldLock {
  private constructor(private readonly client: Client) {}

  /** `statement` takes the lock. */
  static async take(service: TestService, statement: string, parameters: unknown[] = [], schema = 'gateway'): Promise<HeldLock> {
    const client = new Client({ connectionString: service.env['DATABASE_URL'], options: `-c search_path=${schema}` });
    await client.connect();
    await client.query('BEGIN');
    await client.query(statement, parameters);
    return new HeldLock(client);
  }

  /** Resolves when at least this many statements wait for a lock, whoever has it. The job that writes sign-ins to the audit log, which may wait at any moment, is not counted. */
  async waiting(count: number): Promise<void> {
    await until(async () => {
      const { rows } = await this.client.query<{ count: number }>(
        `SELECT count(*)::int FROM pg_stat_activity a WHERE datname = current_database() AND wait_event_type = 'Lock' AND NOT EXISTS (
           SELECT FROM pg_locks l WHERE l.pid = a.pid AND l.locktype = 'advisory' AND l.classid = hashtext('sign-in audit')::oid)`,
      );
      return (rows[0]?.count ?? 0) >= count; // a caller that gave up leaves its statement waiting beside that of its retry
    });
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
