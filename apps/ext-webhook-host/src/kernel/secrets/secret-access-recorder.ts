import type { SecretOwner } from '@platform/extension-sdk/runtime';
import { queryPrepared } from '@platform/persistence';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';

/** Time for which an access waits for others. */
const BATCH_MS = 1_000;
/** Accesses that wait in memory; further secrets are recorded when they are read again. */
const MOST_WAITING = 10_000;

interface Access extends SecretOwner {
  name: string;
  at: Date;
}

/**
 * Records the last read of each secret, many in one statement. A process that is killed loses its
 * last second.
 */
export class SecretAccessRecorder {
  private waiting = new Map<string, Access>();
  private writing: Promise<void> | undefined;
  private readonly stopping = new AbortController();

  constructor(
    private readonly dataSource: DataSource,
    private readonly logger: Logger,
  ) {}

  recordAccess({ appId, identity }: SecretOwner, name: string): void {
    const key = JSON.stringify([appId, identity, name]);
    if (this.waiting.size >= MOST_WAITING && !this.waiting.has(key)) return;
    this.waiting.set(key, { appId, identity, name, at: new Date() });
    this.writing ??= this.writeSoon();
  }

  /**
   * Writes the accesses that this process has recorded and not yet begun to write. Rejects if the
   * database refuses or is unavailable.
   */
  async flush(): Promise<void> {
    await this.write();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.writing;
  }

  private async writeSoon(): Promise<void> {
    await delay(BATCH_MS, undefined, { signal: this.stopping.signal }).catch(() => undefined);
    this.writing = undefined;
    await this.write().catch((error: unknown) =>
      this.logger.warn({ err: error }, 'could not write the time at which secrets were read'),
    );
  }

  private async write(): Promise<void> {
    if (!this.waiting.size) return;
    // The same order in all processes prevents deadlocks.
    const accesses = [...this.waiting].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, access]) => access);
    this.waiting = new Map();
    await queryPrepared(
      this.dataSource,
      `WITH read AS (
         SELECT s.app_id, s.identity, s.name, a.at FROM secrets s
           JOIN unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[]) a (app_id, identity, name, at) USING (app_id, identity, name)
         ORDER BY s.app_id, s.identity, s.name FOR NO KEY UPDATE OF s
       )
       UPDATE secrets s SET last_accessed_at = greatest(s.last_accessed_at, read.at) FROM read
       WHERE (s.app_id, s.identity, s.name) = (read.app_id, read.identity, read.name)`,
      [
        accesses.map(({ appId }) => appId),
        accesses.map(({ identity }) => identity),
        accesses.map(({ name }) => name),
        accesses.map(({ at }) => at),
      ],
    );
  }
}
