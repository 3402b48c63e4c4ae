import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationShutdown } from '@nestjs/common';
import type { AppLogLevel, AppLogLine, AppLogsQuery, AppLogsResponse } from '@platform/contracts';
import { deleteExpired, RetentionService, queryPrepared } from '@platform/persistence';
import { type CancellationSignal, isUnreachable, LOGGER } from '@platform/platform';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { AppLogErrors } from './app-logs.errors.js';

/** A line before it is written. Its secrets are already removed. */
export interface NewLogLine {
  appId: string;
  at: Date;
  level: AppLogLevel;
  message: string;
  /** Kind of the run: `function`, `webhook`, …. */
  kind: string;
  handler: string;
  requestId: string | null;
  userId: string | null;
}

const FILTERED = ['level', 'kind', 'handler', 'request_id'] as const;
type Filters = Pick<AppLogsQuery, (typeof FILTERED)[number]>;

const BATCH_LINES = 500;
/** Time for which a line waits for others. */
const BATCH_MS = 200;
/**
 * Lines that wait in memory while the database is slow or unreachable. Beyond this, the oldest are
 * dropped.
 */
const WAITING_LINES = 10_000;
const RETRY_MS = 1_000;

export const KEPT_LINES_PER_APP = 10_000;
const RETENTION = '14 days';
/** New lines of an app after which its oldest lines are deleted. */
const TRIM_EVERY_LINES = 1_000;

/** Another process may have written lines. */
const POLL_MS = 1_000;

/** Processes write one batch after the other, so that ids are committed in their order. */
const WRITE_LOCK = "pg_advisory_xact_lock(hashtextextended('app_logs', 0))";

/** Log lines of runs, for the developers of the apps. */
@Injectable()
export class HostAppLogsService implements BeforeApplicationShutdown, OnApplicationShutdown {
  private waiting: NewLogLine[] = [];
  private dropped = 0;
  private writing: Promise<void> | undefined;
  private readonly untrimmed = new Map<string, number>();
  private readonly followers = new Set<() => void>();
  private readonly stopping = new AbortController();

  constructor(
    private readonly dataSource: DataSource,
    @Inject(LOGGER) private readonly logger: Logger,
    retention: RetentionService,
  ) {
    retention.registerExpiredRows(() => this.deleteOldLines());
  }

  /**
   * Accepts a line. It is written a moment later, together with others. If 10,000 lines already
   * wait, the oldest of them is dropped. Lines that the database refuses are lost; while it is
   * unreachable, they wait.
   */
  writeLine(line: NewLogLine): void {
    if (this.waiting.length >= WAITING_LINES) {
      this.waiting.shift();
      this.dropped++;
    }
    this.waiting.push({ ...line, message: storable(line.message) });
    this.writing ??= this.writeAll();
  }

  /**
   * Lines of an app that match the filters, oldest first: the next ones after `after`, or the
   * latest ones. If there are none, it waits for up to `wait_seconds`, and returns an empty list if
   * none comes, `signal` is aborted or the process stops. `next` is the value of `after` for the
   * next request; null if there is none yet.
   *
   * @throws AppError 400 `logs.after_invalid` if `after` is not a number of at most 18 digits, like
   * each `next`.
   */
  async readLines(
    appId: string,
    { after, limit, wait_seconds: waitSeconds, ...filters }: AppLogsQuery,
    signal: CancellationSignal,
  ): Promise<AppLogsResponse> {
    if (after !== undefined && !/^\d{1,18}$/.test(after)) throw AppLogErrors.afterInvalid();
    const until = Date.now() + waitSeconds * 1_000;
    for (;;) {
      const items = await this.find(appId, after, limit, filters);
      const remaining = until - Date.now();
      if (items.length || remaining <= 0 || signal.aborted || this.stopping.signal.aborted) {
        return { items, next: items.at(-1)?.id ?? after ?? null };
      }
      await this.nextLines(Math.min(remaining, POLL_MS), signal);
    }
  }

  /** Deletes a batch of lines that are older than 14 days. Returns how many. */
  deleteOldLines(): Promise<number> {
    return deleteExpired(this.dataSource, {
      table: 'app_logs',
      key: 'id',
      where: `at < now() - interval '${RETENTION}'`,
    });
  }

  /** Makes all waiting calls of `readLines` return. */
  beforeApplicationShutdown(): void {
    this.stopping.abort();
    this.wakeFollowers();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.writing;
  }

  private async find(appId: string, after: string | undefined, limit: number, filters: Filters): Promise<AppLogLine[]> {
    const columns = 'id::text, at, level, message, kind, handler, request_id, user_id';
    const values: unknown[] = [appId, limit];
    const where = ['app_id = $1'];
    for (const column of FILTERED) {
      if (filters[column] !== undefined) where.push(`${column} = $${values.push(storable(filters[column]))}`);
    }
    if (after !== undefined) where.push(`app_logs.id > $${values.push(after)}`);
    const lines = `SELECT ${columns} FROM app_logs WHERE ${where.join(' AND ')} ORDER BY app_logs.id`;
    const rows = await queryPrepared<Omit<AppLogLine, 'at'> & { at: Date }>(
      this.dataSource,
      after === undefined
        ? `SELECT * FROM (${lines} DESC LIMIT $2) AS latest ORDER BY id::bigint`
        : `${lines} LIMIT $2`,
      values,
    );
    return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
  }

  private async nextLines(ms: number, signal: CancellationSignal): Promise<void> {
    const woken = new AbortController();
    const wake = () => woken.abort();
    this.followers.add(wake);
    signal.addEventListener('abort', wake, { once: true });
    await delay(ms, undefined, { signal: woken.signal }).catch(() => undefined);
    signal.removeEventListener('abort', wake);
    this.followers.delete(wake);
  }

  private async writeAll(): Promise<void> {
    await this.pause(BATCH_MS);
    while (this.waiting.length) {
      const batch = this.waiting.splice(0, BATCH_LINES);
      try {
        await this.writeBatch(batch);
        this.wakeFollowers();
      } catch (error) {
        this.logger.error({ err: error, lines: batch.length }, 'could not write log lines of apps');
        if (!isUnreachable(error) || this.stopping.signal.aborted) continue;
        this.waiting.unshift(...batch);
        await this.pause(RETRY_MS);
      }
    }
    if (this.dropped)
      this.logger.warn(
        { lines: this.dropped },
        'dropped log lines of apps, because they came faster than they could be written',
      );
    this.dropped = 0;
    this.writing = undefined;
  }

  private async writeBatch(lines: readonly NewLogLine[]): Promise<void> {
    const column = <Value>(of: (line: NewLogLine) => Value): Value[] => lines.map(of);
    await this.dataSource.transaction(async (em) => {
      await em.query(`SELECT ${WRITE_LOCK}`);
      await em.query(
        `INSERT INTO app_logs (app_id, at, level, message, kind, handler, request_id, user_id)
         SELECT * FROM unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[])`,
        [
          column(({ appId }) => appId),
          column(({ at }) => at),
          column(({ level }) => level),
          column(({ message }) => message),
          column(({ kind }) => kind),
          column(({ handler }) => handler),
          column(({ requestId }) => requestId),
          column(({ userId }) => userId),
        ],
      );
    });
    for (const { appId } of lines) this.untrimmed.set(appId, (this.untrimmed.get(appId) ?? 0) + 1);
    for (const [appId, count] of this.untrimmed) if (count >= TRIM_EVERY_LINES) await this.trim(appId);
  }

  private async trim(appId: string): Promise<void> {
    this.untrimmed.delete(appId);
    await queryPrepared(
      this.dataSource,
      `DELETE FROM app_logs WHERE app_id = $1
         AND id <= (SELECT id FROM app_logs WHERE app_id = $1 ORDER BY id DESC OFFSET ${KEPT_LINES_PER_APP} LIMIT 1)`,
      [appId],
    );
  }

  private wakeFollowers(): void {
    for (const wake of [...this.followers]) wake();
  }

  private async pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.stopping.signal }).catch(() => undefined);
  }
}

/** Replaces characters that PostgreSQL cannot store. */
const storable = (message: string): string => message.replace(/\0|\p{Surrogate}/gu, '\ufffd');
