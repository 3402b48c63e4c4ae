import type { TokenResponse } from './generated/auth-gateway.js';

export interface Tokens {
  accessToken: string;
  refreshToken: string;
  /** Expiry of the access token, in milliseconds since 1970. */
  expiresAt: number;
}

/** Storage of the tokens of a session. Processes that share a session share its store. */
export interface TokenStore {
  /**
   * Reads the stored tokens, which another process may have replaced. Undefined if there are none.
   */
  load(): Promise<Tokens | undefined>;
  /** Replaces the stored tokens as a whole. */
  save(tokens: Tokens): Promise<void>;
  /**
   * Runs `work` under a lock, so that no other process runs work at the same time. Returns its
   * result.
   */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
}

/** Converts the tokens of an answer that arrived at `now`. Their expiry is counted from then. */
export function toTokens({ access_token, refresh_token, expires_in }: TokenResponse, now = Date.now()): Tokens {
  return { accessToken: access_token, refreshToken: refresh_token, expiresAt: now + expires_in * 1000 };
}
