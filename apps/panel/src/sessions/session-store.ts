import { Inject, Injectable } from '@nestjs/common';
import type { TokenResponse } from '@platform/contracts';
import { columns, deleteExpired, runInTurn, queryPrepared, type RowOf } from '@platform/persistence';
import { currentContext, randomToken, sha256, type Keyring } from '@platform/platform';
import { decodeJwt } from 'jose';
import { DataSource } from 'typeorm';
import { CONFIG, type Config } from '../config.js';
import { PanelSession } from './panel-session.entity.js';

/** Same lifetimes as the gateway's own sessions, so that neither outlives the other. */
const IDLE_SECONDS = 30 * 86_400;
export const ABSOLUTE_SECONDS = 180 * 86_400;
/** Seconds before its expiry at which an access token is renewed. */
const REFRESH_AHEAD_SECONDS = 60;
const PURPOSE = 'panel-session';

export interface Tokens {
  accessToken: string;
  refreshToken: string;
}

/**
 * A session as it was read. Updates are written only if `tokensVersion` is still the stored one.
 */
export interface StoredSession {
  key: Buffer;
  userId: string;
  gatewaySessionId: string;
  tokens: Tokens;
  tokensVersion: number;
  /** True if the access token is valid for at least another minute. */
  isFresh: boolean;
}

const STORED = columns(PanelSession, ['key', 'userId', 'gatewaySessionId', 'sealedTokens', 'tokensVersion']);
type SessionRow = RowOf<typeof STORED> & { is_fresh: boolean };

const COLUMNS = `${STORED},
  access_expires_at > now() + interval '${REFRESH_AHEAD_SECONDS} seconds' AS is_fresh`;

/** Sessions in PostgreSQL. The database contains neither cookie values nor readable tokens. */
@Injectable()
export class SessionStore {
  private readonly keys: Keyring;

  constructor(
    private readonly dataSource: DataSource,
    @Inject(CONFIG) config: Config,
  ) {
    this.keys = config.SECRET_KEYS;
  }

  /** Stores a new session and returns its new cookie value, which is stored nowhere else. */
  async add(tokens: TokenResponse): Promise<string> {
    const value = randomToken();
    const key = sha256(value);
    const { sub, sid } = decodeJwt(tokens.access_token);
    await this.dataSource.query(
      `INSERT INTO sessions (key, user_id, gateway_session_id, sealed_tokens, access_expires_at, idle_expires_at, absolute_expires_at)
       VALUES ($1, $2, $3, $4, now() + make_interval(secs => $5), now() + interval '${IDLE_SECONDS} seconds',
         now() + interval '${ABSOLUTE_SECONDS} seconds')`,
      [key, sub, sid, this.seal(key, tokens), tokens.expires_in],
    );
    return value;
  }

  /**
   * Finds a session by its cookie value. Null if it does not exist, has expired, or cannot be
   * decrypted. Does not extend it.
   */
  findByCookie(value: string): Promise<StoredSession | null> {
    return this.find(sha256(value));
  }

  async find(key: Buffer): Promise<StoredSession | null> {
    const [row] = await queryPrepared<SessionRow>(
      this.dataSource,
      `SELECT ${COLUMNS} FROM sessions WHERE key = $1 AND idle_expires_at > now()`,
      [key],
    );
    return row ? this.read(row) : null;
  }

  /**
   * Stores the refreshed tokens and returns the session with them. The session can then be idle for
   * 30 days again, until its end after 180 days. Null, and nothing is stored, if another process
   * was faster, or the session has ended.
   */
  async replaceTokens({ key, tokensVersion }: StoredSession, tokens: TokenResponse): Promise<StoredSession | null> {
    const [row] = await queryPrepared<SessionRow>(
      this.dataSource,
      `UPDATE sessions SET sealed_tokens = $3, tokens_version = tokens_version + 1, access_expires_at = now() + make_interval(secs => $4),
         idle_expires_at = least(now() + interval '${IDLE_SECONDS} seconds', absolute_expires_at)
       WHERE key = $1 AND tokens_version = $2 RETURNING ${COLUMNS}`,
      [key, tokensVersion, this.seal(key, tokens), tokens.expires_in],
    );
    return row ? this.read(row) : null;
  }

  /**
   * Removes a session and returns it. Null if it did not exist, or cannot be decrypted, in which
   * case it is removed too.
   */
  async remove(key: Buffer): Promise<StoredSession | null> {
    const [row] = await queryPrepared<SessionRow>(
      this.dataSource,
      `DELETE FROM sessions WHERE key = $1 RETURNING ${COLUMNS}`,
      [key],
    );
    return row ? this.read(row) : null;
  }

  /** Deletes expired sessions. */
  async sweep(): Promise<void> {
    await runInTurn([
      () => deleteExpired(this.dataSource, { table: 'sessions', key: 'key', where: 'idle_expires_at <= now()' }),
    ]);
  }

  /**
   * Encrypts tokens for the database. The session key is encrypted with them, so that write access
   * to the database is not enough to move tokens to another session.
   */
  private seal(key: Buffer, { access_token, refresh_token }: TokenResponse): string {
    return this.keys.seal(PURPOSE, JSON.stringify([key.toString('hex'), access_token, refresh_token]));
  }

  /**
   * Decrypts the tokens of a row. Null, with a warning in the log, if that fails: their key was
   * removed from `SECRET_KEYS`, or they were changed.
   */
  private read(row: SessionRow): StoredSession | null {
    try {
      const [key, accessToken, refreshToken] = JSON.parse(this.keys.open(PURPOSE, row.sealed_tokens)) as [
        string,
        string,
        string,
      ];
      if (key !== row.key.toString('hex')) throw new Error('These tokens belong to another session.');
      return {
        key: row.key,
        userId: row.user_id,
        gatewaySessionId: row.gateway_session_id,
        tokens: { accessToken, refreshToken },
        tokensVersion: row.tokens_version,
        isFresh: row.is_fresh,
      };
    } catch (error) {
      currentContext()?.log.warn({ err: error }, 'a panel session cannot be decrypted; its user must sign in again');
      return null;
    }
  }
}
