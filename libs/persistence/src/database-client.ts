import type { EventEmitter } from 'node:events';
import { Client, type ClientConfig } from 'pg';
import { traceQueries } from './traced-queries.js';

/** Milliseconds to open a connection, or to wait for a connection of a pool. */
export const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 10_000;

/**
 * Limits of a session for requests or jobs. The server ends a statement after 10 s, and a
 * transaction that is idle for 10 s. After 15 s without an answer, the client treats the server as
 * lost.
 */
export const SESSION_LIMITS = {
  statement_timeout: STATEMENT_TIMEOUT_MS,
  idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
  query_timeout: 15_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
} satisfies ClientConfig;

/**
 * Overrides limits of the database or of the role, such as a `statement_timeout`. Sessions set
 * their own limits.
 */
const NO_LIMITS = { statement_timeout: '0', lock_timeout: '0', idle_in_transaction_session_timeout: '0' };

/**
 * Settings of every session, so that SQL means the same for any `ALTER DATABASE`, `ALTER ROLE`,
 * server configuration, `PGOPTIONS` or `options` of a URL. Calendar arithmetic on `timestamptz`
 * counts in UTC, pg reads times and intervals only in these styles, and guarded updates are written
 * for `read committed`.
 */
const SESSION_SETTINGS = {
  TimeZone: 'UTC',
  DateStyle: 'ISO, YMD',
  IntervalStyle: 'postgres',
  standard_conforming_strings: 'on',
  default_transaction_isolation: 'read committed',
};

export interface DatabaseClientConfig extends ClientConfig {
  /**
   * Schemas in which the session finds tables, as in `SET search_path`. Default: the server's
   * setting.
   */
  searchPath?: string;
}

type Settings = Record<string, string>;

/**
 * pg's client, for every connection of a process that must survive an outage of its database.
 *
 * pg reports a lost connection by an `error` event, and Node.js ends the process if the event has
 * no listener. There is no listener while a pool hands over the connection, and the last message of
 * PostgreSQL can arrive in the same packet as the answer before it. This class keeps an error
 * without a listener for the next listener.
 *
 * After a statement without an answer (`query_timeout`) the connection is closed; pg would keep it
 * in use.
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
    const query = traceQueries((...statement) =>
      (super.query as (...statement: unknown[]) => unknown).apply(this, statement),
    );
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

  /**
   * Settings that pg sends in the first packet of the session, where they override all others:
   * `SESSION_SETTINGS`, the search path, and the limits of the configuration; a limit that it does
   * not set is switched off. pg's types do not declare this method.
   */
  protected getStartupConf(): Settings {
    const { getStartupConf } = Client.prototype as unknown as { getStartupConf: () => Settings };
    const settings = { ...NO_LIMITS, ...getStartupConf.call(this), ...SESSION_SETTINGS };
    return this.searchPath === undefined ? settings : { ...settings, search_path: this.searchPath };
  }

  private closeUnanswered(error: unknown): void {
    if ((error as Error).message === 'Query read timeout') void this.end();
  }
}
