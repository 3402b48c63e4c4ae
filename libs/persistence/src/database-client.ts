import type { EventEmitter } from 'node:events';
import { Client, type ClientConfig } from 'pg';
import { traceQueries } from './traced-queries.js';

/** Opening a connection, or waiting for one of a pool. */
export const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 10_000;

/**
 * The limits of a session that serves requests or jobs. The server gives up a statement after 10 s, and a transaction that idles as
 * long; after 15 s without any answer the client takes the server for gone.
 */
export const SESSION_LIMITS = {
  statement_timeout: STATEMENT_TIMEOUT_MS,
  idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
  query_timeout: 15_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
} satisfies ClientConfig;

/** Limits of the database or of the role, such as a `statement_timeout`, count for no session: one that has its own says so. */
const NO_LIMITS = { statement_timeout: '0', lock_timeout: '0', idle_in_transaction_session_timeout: '0' };

/**
 * A session begins with these settings, so that SQL means the same whatever `ALTER DATABASE`, `ALTER ROLE`, the server's configuration,
 * `PGOPTIONS` or the `options` of a URL say. Calendar arithmetic on `timestamptz` counts in UTC, pg reads times and intervals in these
 * styles alone, and guarded updates are written for `read committed`.
 */
const SESSION_SETTINGS = {
  TimeZone: 'UTC',
  DateStyle: 'ISO, YMD',
  IntervalStyle: 'postgres',
  standard_conforming_strings: 'on',
  default_transaction_isolation: 'read committed',
};

export interface DatabaseClientConfig extends ClientConfig {
  /** The schemas in which the session finds tables, as in `SET search_path`; the server's default when absent. */
  searchPath?: string;
}

type Settings = Record<string, string>;

/**
 * pg's client, for every connection of a process that must outlive its database.
 *
 * pg tells of a lost connection by an `error` event, and Node.js ends the process when nobody listens. Nobody does while a pool hands
 * the connection over, and PostgreSQL's last words can come in the same packet as the answer before them. Here the next listener
 * hears what nobody heard.
 *
 * A statement that is given up without an answer (`query_timeout`) closes the connection, which pg would leave in use behind it.
 */
export class DatabaseClient extends Client {
  private unheard: unknown;
  private readonly searchPath: string | undefined;

  constructor(config: DatabaseClientConfig = {}) {
    super(config);
    this.searchPath = config.searchPath;
    (this as EventEmitter).on('newListener', (event) => {
      const { unheard } = this;
      if (event !== 'error' || !unheard) return;
      this.unheard = undefined;
      process.nextTick(() => this.emit('error', unheard));
    });
    // An override would have to repeat each of pg's overloads.
    const query = traceQueries((...statement) => (super.query as (...statement: unknown[]) => unknown).apply(this, statement));
    this.query = ((...statement: unknown[]) => {
      const result = query(...statement);
      if (result instanceof Promise) result.catch((error: unknown) => this.closeUnanswered(error));
      return result;
    }) as Client['query'];
  }

  override emit(event: string | symbol, ...values: unknown[]): boolean {
    if (event !== 'error' || this.listenerCount('error')) return super.emit(event, ...values);
    this.unheard = values[0];
    return false;
  }

  /** pg sends these settings in the first packet of the session, where they count for more than any other. Its types do not name the method. */
  protected getStartupConf(): Settings {
    const { getStartupConf } = Client.prototype as unknown as { getStartupConf: () => Settings };
    const settings = { ...NO_LIMITS, ...getStartupConf.call(this), ...SESSION_SETTINGS };
    return this.searchPath === undefined ? settings : { ...settings, search_path: this.searchPath };
  }

  private closeUnanswered(error: unknown): void {
    if ((error as Error).message === 'Query read timeout') void this.end();
  }
}
