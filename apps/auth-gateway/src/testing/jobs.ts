import type { TestService } from '@platform/testing';

/** The jobs that committed transactions enqueued, in order. Jobs that have ended are among them. */
export class EnqueuedJobs {
  private constructor(private readonly service: TestService) {}

  /** Once for each service. */
  static async watch(service: TestService): Promise<EnqueuedJobs> {
    await service.query(`
      CREATE TABLE enqueued_jobs (LIKE outbox INCLUDING DEFAULTS);
      CREATE FUNCTION keep_enqueued() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN INSERT INTO enqueued_jobs SELECT NEW.*; RETURN NULL; END $$;
      CREATE TRIGGER keep_enqueued AFTER INSERT ON outbox FOR EACH ROW EXECUTE FUNCTION keep_enqueued()`);
    return new EnqueuedJobs(service);
  }

  /** How many jobs of a queue have a payload with this in it. */
  async count(queue: string, payload: object): Promise<number> {
    const [row] = await this.service.query<{ count: number }>(
      'SELECT count(*)::integer AS count FROM enqueued_jobs WHERE queue = $1 AND payload @> $2',
      [queue, JSON.stringify(payload)],
    );
    return row?.count ?? 0;
  }
}
