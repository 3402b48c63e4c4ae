import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import type { EventStreamStatsResponse } from '@platform/contracts';
import { LOGGER, newUuid } from '@platform/platform';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { EventStreamsService } from './event-streams.service.js';

const EVERY_MS = 5_000;

/**
 * Numbers of clients that follow events, on all processes together. Each process stores its numbers
 * every 5 s, and when they are read.
 */
@Injectable()
export class StreamStatsService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly id = newUuid();
  private timer: NodeJS.Timeout | undefined;
  private isKnown = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly streams: EventStreamsService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    const write = () =>
      this.storeCounts().catch((error: unknown) =>
        this.logger.debug({ err: error }, 'the number of streams could not be noted'),
      );
    this.timer = setInterval(() => void write(), EVERY_MS).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    if (this.isKnown)
      await this.dataSource.query('DELETE FROM event_stream_processes WHERE id = $1', [this.id]).catch(() => undefined);
  }

  async getStats(): Promise<EventStreamStatsResponse> {
    await this.storeCounts();
    const [row] = await this.dataSource.query<[EventStreamStatsResponse]>(
      `SELECT coalesce(sum(channels), 0)::int AS channels, coalesce(sum(clients), 0)::int AS clients, count(*)::int AS processes
       FROM event_stream_processes WHERE seen_at > now() - interval '15 seconds'`,
    );
    return row;
  }

  /**
   * Stores the numbers of this process, and deletes those of processes that stored none for a
   * minute. A process without clients, now and at its last write, does nothing.
   */
  private async storeCounts(): Promise<void> {
    const { channels, clients } = this.streams.countClients();
    if (!clients && !this.isKnown) return;
    this.isKnown = clients > 0;
    await this.dataSource.query(
      `WITH gone AS (DELETE FROM event_stream_processes WHERE seen_at < now() - interval '1 minute' OR (id = $1 AND $3 = 0))
       INSERT INTO event_stream_processes (id, channels, clients) SELECT $1, $2, $3 WHERE $3 > 0
       ON CONFLICT (id) DO UPDATE SET channels = EXCLUDED.channels, clients = EXCLUDED.clients, seen_at = now()`,
      [this.id, channels, clients],
    );
  }
}
