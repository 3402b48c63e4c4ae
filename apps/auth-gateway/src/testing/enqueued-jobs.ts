import type { TestService } from '@platform/testing';

/** Jobs that committed transactions enqueued, in order, including jobs that have ended. */
export class EnqueuedJobs {
  private constructor(private readonly service: TestService) {}

  /** Call it once per service. */
  static async watch(service: TestService): Promise<EnqueuedJobs> {
    await service.query(`
      CREATE TABLE enqueued_jobs (LIKE outbox INCLUDING DEFAULTS);
      CREATE FUNCTION keep_enqueued() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN INSERT INTO enqueued_jobs SELECT NEW.*; RETURN NULL; END $$;
      CREATE TRIGGER keep_enqueued AFTER INSERT ON outbox FOR EACH ROW EXECUTE FUNCTION keep_enqueued()`);
    return new EnqueuedJobs(service);
  }

  /** Number of jobs of a queue with `payload` as part of their payload. */
  async count(queue: string, payload: object): Promise<number> {
    const [row] = await this.service.query<{ count: number }>(
      'SELECT count(*)::integer AS count FROM enqueued_jobs WHERE queue = $1 AND payload @> $2',
      [queue, JSON.stringify(payload)],
    );
    return row?.count ?? 0;
  }
}
