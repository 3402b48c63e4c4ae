import { CONNECT_TIMEOUT_MS, DatabaseClient, SESSION_LIMITS } from '@platform/persistence';
import { setTimeout as delay } from 'node:timers/promises';

const RECONNECT_MS = 1_000;

/**
 * LISTENs to a channel on its own connection, and calls `onMessage` with each message. An error of
 * the connection goes to `onError`; a second after the end of the connection it connects again.
 * Messages of the meantime are lost.
 */
export class PostgresSubscription {
  private readonly closing = new AbortController();
  private client: DatabaseClient | undefined;
  private readonly running: Promise<void>;

  constructor(
    private readonly databaseUrl: string,
    private readonly channel: string,
    private readonly onMessage: (message: string) => void,
    private readonly onError: (error: Error) => void,
  ) {
    this.running = this.run();
  }

  async close(): Promise<void> {
    this.closing.abort();
    await this.client?.end().catch(() => undefined);
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.closing.signal.aborted) {
      await this.listen().catch((error: unknown) => {
        if (!this.closing.signal.aborted) this.onError(error as Error);
      });
      await delay(RECONNECT_MS, undefined, { signal: this.closing.signal }).catch(() => undefined);
    }
  }

  /**
   * Connects, LISTENs, and reports messages until the connection ends. Rejects if it cannot connect
   * or LISTEN, or if the connection breaks with an error.
   */
  private async listen(): Promise<void> {
    const limits = { ...SESSION_LIMITS, connectionTimeoutMillis: CONNECT_TIMEOUT_MS };
    const client = new DatabaseClient({ ...limits, connectionString: this.databaseUrl });
    this.client = client;
    client.on('notification', ({ payload }) => this.onMessage(payload ?? ''));
    const ended = new Promise<void>((resolve, reject) => {
      client.once('end', resolve);
      client.once('error', reject);
    });
    ended.catch(() => undefined); // it is awaited only after the connection is open
    try {
      await client.connect();
      await client.query(`LISTEN ${client.escapeIdentifier(this.channel)}`);
      await ended;
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}
